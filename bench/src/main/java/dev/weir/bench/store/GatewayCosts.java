package dev.weir.bench.store;

import dev.weir.bench.store.CpuUse.Part;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What accepting and sending cost, by the gateway's own counters and the CPU time of all processes. What one sent message costs is measured
 * while nothing is accepted; what an accepted message costs is what is left of the load's time.
 */
final class GatewayCosts {

    private static final Pattern VALUE = Pattern.compile("\"value\":([0-9.E]+)");

    /**
     * How things stand at one moment.
     *
     * @param accepted messages, since the store's start
     * @param transactions that accepted them
     * @param sent messages the provider has
     */
    record Counters(CpuUse cpu, long accepted, long transactions, long sent) {

        static Counters now(StoreService store, GatewayTruth truth) throws IOException, InterruptedException {
            try (HttpClient client = HttpClient.newHttpClient()) {
                return new Counters(
                        CpuUse.now(store.pid()),
                        metric(client, store.port(), "store.gateway.accepted"),
                        metric(client, store.port(), "store.gateway.accept.transactions"),
                        truth.taken());
            }
        }

        private static long metric(HttpClient client, int port, String name) throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/metrics/" + name))
                    .build();
            String body = client.send(request, BodyHandlers.ofString()).body();
            Matcher value = VALUE.matcher(body);
            if (!value.find()) {
                throw new IOException("The store has no metric " + name + ": " + body);
            }
            return (long) Double.parseDouble(value.group(1));
        }
    }

    private GatewayCosts() {}

    /**
     * Prints a table.
     *
     * @param loadBegin before the load
     * @param loadEnd after it
     * @param drainBegin when nothing is handed in any more
     * @param drainEnd some time later
     */
    static void print(Counters loadBegin, Counters loadEnd, Counters drainBegin, Counters drainEnd) {
        long accepted = loadEnd.accepted - loadBegin.accepted;
        long transactions = loadEnd.transactions - loadBegin.transactions;
        long sentInLoad = loadEnd.sent - loadBegin.sent;
        long sentInDrain = drainEnd.sent - drainBegin.sent;
        System.out.printf(
                Locale.ROOT,
                "By the store's counters %,d messages were accepted in %,d transactions, %.0f in each.%n",
                accepted,
                transactions,
                (double) accepted / Math.max(1, transactions));
        System.out.printf(
                Locale.ROOT,
                "CPU time, sending measured alone on %,d messages after the load, accepting without the %,d sent meanwhile:%n%n",
                sentInDrain,
                sentInLoad);
        System.out.println("| CPU | µs a message accepted | µs a message sent |");
        System.out.println("|---|---|---|");
        CpuUse load = loadEnd.cpu.since(loadBegin.cpu);
        CpuUse drain = drainEnd.cpu.since(drainBegin.cpu);
        double allAccepted = 0;
        double allSent = 0;
        for (Part part : Part.values()) {
            double send = drain.micros(part, Math.max(1, sentInDrain), 0);
            double accept = load.micros(part, Math.max(1, accepted), send * sentInLoad);
            allAccepted += accept;
            allSent += send;
            row(part.title(), accept, send);
        }
        row("all", allAccepted, allSent);
        System.out.println();
    }

    private static void row(String name, double accept, double send) {
        System.out.printf(Locale.ROOT, "| %s | %.0f | %.0f |%n", name, accept, send);
    }
}
