package dev.weir.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Chooses the ports of one stack on 127.0.0.1.
 *
 * <p>Free ports are drawn at random from below the range that systems hand to outgoing connections (Linux: from 32,768 on), so a
 * server that is stopped and started again finds its port still free, and two stacks that start at once seldom draw the same one.
 */
final class Ports {
    static final int LOWEST = 20_000;
    static final int HIGHEST = 31_999;
    private static final int DRAWS = 1_000;

    private final RandomGenerator random;
    private final IntPredicate isFree;
    private final Set<Integer> given = new HashSet<>();

    Ports(RandomGenerator random, IntPredicate isFree) {
        this.random = random;
        this.isFree = isFree;
    }

    /** The fixed port when it is free, else a sentence naming {@code option}; a free port when {@code fixed} is 0. */
    int choose(String server, int fixed, String option) {
        return fixed == 0 ? draw() : require(server, fixed, option);
    }

    private int draw() {
        for (int i = 0; i < DRAWS; i++) {
            int port = random.nextInt(LOWEST, HIGHEST + 1);
            if (!given.contains(port) && isFree.test(port)) {
                given.add(port);
                return port;
            }
        }
        throw new StackException(
                "No free port was found between %d and %d; give fixed ports.".formatted(LOWEST, HIGHEST));
    }

    private int require(String server, int port, String option) {
        if (!given.add(port)) {
            throw new StackException(
                    "Port %d was given to two servers; give %s another with %s, or leave it out and a free one is chosen."
                            .formatted(port, server, option));
        }
        if (!isFree.test(port)) {
            throw new StackException(ServerFailure.portTaken(server, port, option));
        }
        return port;
    }

    /** Whether a server could listen on this port of 127.0.0.1 now. */
    static boolean isFreeHere(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
