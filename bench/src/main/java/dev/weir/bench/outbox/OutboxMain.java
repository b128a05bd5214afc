package dev.weir.bench.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.bench.broker.Rounds;
import dev.weir.bench.broker.Servers;
import dev.weir.stack.Stack;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * How fast do committed events of 1 KiB get acknowledged by Kafka through an outbox? Live: 4 writers commit one row and one event each
 * time, as fast as they can, while the relay runs; the lag is from commit to acknowledgement. Backlog: the same events wait in the table
 * when the relay starts. A B C C B A on the same servers. Command: bench/outbox [ROUNDS [EVENTS]].
 */
final class OutboxMain {
    private static final int WRITERS = 4;
    private static final int CONNECTIONS = 24;
    private static final int KEYS = 1_000;
    private static final int BYTES = 1_024;
    private static final long PATIENCE_SECONDS = 300;
    private static final Duration GRUELBOX_WAIT = Duration.ofSeconds(5);

    private record Run(double perSecond, double p99Millis, double statements, double cpuMillisPerThousand) {}

    private final CountingDataSource database;
    private final KafkaProducer<String, String> producer;
    private final String bootstrap;
    private final int events;
    private final Rounds<Run> runs = new Rounds<>();

    private OutboxMain(
            CountingDataSource database, KafkaProducer<String, String> producer, String bootstrap, int events) {
        this.database = database;
        this.producer = producer;
        this.bootstrap = bootstrap;
        this.events = events;
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        int events = Integer.parseInt(args[1]);
        try (Stack stack = Servers.start();
                HikariDataSource pool = Servers.pool(stack, CONNECTIONS);
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", stack.kafka().bootstrap(), "acks", "all"),
                        new StringSerializer(),
                        new StringSerializer())) {
            OutboxMain bench = new OutboxMain(
                    new CountingDataSource(pool), producer, stack.kafka().bootstrap(), events);
            bench.compare(rounds);
            bench.print();
        }
    }

    private void compare(int rounds) throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE business (n int)");
        }
        List<String> forth = List.of("naive poller", "transaction-outbox", "Spring Modulith", "Weir");
        run("Weir", true, 500);
        for (int round = 0; round < rounds; round++) {
            for (boolean live : new boolean[] {true, false}) {
                for (String name : Rounds.order(forth, round)) {
                    runs.add((live ? "live, " : "backlog, ") + name, run(name, live, events));
                }
            }
        }
    }

    private Subject subject(String name, Lags lags) throws Exception {
        return switch (name) {
            case "Weir" -> new WeirSubject(database, bootstrap, lags, BYTES);
            case "transaction-outbox" -> new GruelboxSubject(database, producer, lags, BYTES, GRUELBOX_WAIT);
            case "Spring Modulith" -> new ModulithSubject(database, producer, lags, BYTES);
            default -> new NaiveSubject(database, producer, lags, BYTES);
        };
    }

    private Run run(String name, boolean live, int count) throws Exception {
        Lags lags = new Lags(count);
        try (Subject subject = subject(name, lags)) {
            if (live) {
                subject.start();
            } else {
                write(subject, lags, count);
                LockSupport.parkNanos(GRUELBOX_WAIT.plusSeconds(1).toNanos());
            }
            long startNanos = System.nanoTime();
            long startStatements = database.statements();
            long startCpu = Servers.cpuNanos();
            if (live) {
                write(subject, lags, count);
            } else {
                subject.start();
            }
            if (!lags.await(PATIENCE_SECONDS)) {
                throw new IllegalStateException(name + " has not delivered " + lags.missing() + " events.");
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            return new Run(
                    count / seconds,
                    lags.p99Millis(),
                    (double) (database.statements() - startStatements) / count,
                    (Servers.cpuNanos() - startCpu) / 1e6 / count * 1_000);
        }
    }

    private static void write(Subject subject, Lags lags, int count) throws InterruptedException {
        List<Thread> writers = IntStream.range(0, WRITERS)
                .mapToObj(writer -> Thread.ofPlatform().start(() -> {
                    try {
                        for (int i = writer; i < count; i += WRITERS) {
                            subject.commit(i, "key-" + i % KEYS);
                            lags.committed(i);
                        }
                    } catch (Exception failed) {
                        throw new IllegalStateException("A writer failed.", failed);
                    }
                }))
                .toList();
        for (Thread writer : writers) {
            writer.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        }
    }

    private void print() {
        System.out.println(
                "| Run | events/s (median) | lowest to highest | p99 lag | statements and commits per event | CPU of this process per 1,000 |");
        System.out.println("|---|---:|---:|---:|---:|---:|");
        for (String name : runs.variants()) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %s | %s | %.2f | %.0f ms |%n",
                    name,
                    runs.median(name, Run::perSecond),
                    runs.scores(name, Run::perSecond).range(),
                    name.startsWith("live") ? "%,.0f ms".formatted(runs.median(name, Run::p99Millis)) : "-",
                    runs.median(name, Run::statements),
                    runs.median(name, Run::cpuMillisPerThousand));
        }
        System.out.println();
        for (String how : List.of("live", "backlog")) {
            System.out.printf(
                    Locale.ROOT,
                    "%s: Weir delivers %.1f x transaction-outbox's rate, %.1f x Spring Modulith's and %.1f x the naive poller's (goal 3).%n",
                    how,
                    rate(how, "Weir") / rate(how, "transaction-outbox"),
                    rate(how, "Weir") / rate(how, "Spring Modulith"),
                    rate(how, "Weir") / rate(how, "naive poller"));
        }
    }

    private double rate(String how, String name) {
        return runs.median(how + ", " + name, Run::perSecond);
    }
}
