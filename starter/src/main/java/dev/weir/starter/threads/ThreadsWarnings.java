package dev.weir.starter.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an application on virtual threads should know.
 *
 * @param javaFeature the JVM's feature release, such as 25
 * @param hikari the version of HikariCP, where it is there
 * @param tomcatMaxConnections how many connections Tomcat takes, where it is the server and nobody chose the number
 * @param limited whether a limiter bounds the requests in flight
 */
record ThreadsWarnings(
        int javaFeature, Optional<String> hikari, Optional<Integer> tomcatMaxConnections, boolean limited) {

    /** JEP 491: from here on {@code synchronized} lets the carrier go. */
    private static final int SYNCHRONIZED_IS_FREE = 24;

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        if (javaFeature < SYNCHRONIZED_IS_FREE) {
            sentences.add(
                    "On JDK " + javaFeature + " a virtual thread that blocks inside synchronized keeps its carrier:"
                            + " use JDK " + SYNCHRONIZED_IS_FREE + " or later.");
        }
        hikari.filter(HikariVersion::spins)
                .ifPresent(version -> sentences.add("HikariCP is " + version
                        + ": before 7.1.0 virtual threads that wait for a connection spin and starve the others."
                        + " Use 7.1.0 or later (hikaricp.version)."));
        if (!limited) {
            tomcatMaxConnections.ifPresent(connections -> sentences.add(
                    "No limiter: with virtual threads server.tomcat.threads.max no longer bounds the requests in flight,"
                            + " only server.tomcat.max-connections does (" + connections
                            + "). Set it to what the service can carry at once."));
        }
        return sentences;
    }
}
