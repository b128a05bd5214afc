package dev.weir.bench.kills;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.bench.broker.Servers;
import dev.weir.bench.jmh.Goals;
import dev.weir.bench.kills.Tally.Findings;
import dev.weir.bench.kills.Trial.Outcome;
import dev.weir.stack.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Is anything lost, reordered, invented or done twice when services, the broker and the database die? Two instances of a service publish
 * through the outbox, through the publisher with the spool, and through a plain buffer, all at once, so that each meets the same faults.
 * Command: bench/kills [KILLS [SECONDS]].
 */
final class KillsMain {
    private static final int DATABASE_RESTARTS = 3;

    private KillsMain() {}

    public static void main(String[] args) throws Exception {
        int kills = Integer.parseInt(args[0]);
        Duration away = Duration.ofSeconds(Long.parseLong(args[1]));
        Map<String, Outcome> outcomes = run(kills, away, DATABASE_RESTARTS);
        print(outcomes);
        Goals.exit(outcomes.values().stream().allMatch(Outcome::holds));
    }

    static Map<String, Outcome> run(int kills, Duration away, int databaseRestarts) throws Exception {
        Path folder = Files.createTempDirectory("weir-kills");
        try (Stack stack = Servers.start();
                HikariDataSource database = Servers.pool(stack, 4)) {
            Trial trial = new Trial(stack, database, folder);
            Map<String, Outcome> outcomes = new LinkedHashMap<>();
            outcomes.put(
                    String.format(Locale.ROOT, "%,d kill -9 at random moments", kills),
                    trial.run("killed", Faults.kills(kills)));
            outcomes.put("two instances, one killed for good", trial.run("pair", Faults.oneOfTwoKilled()));
            outcomes.put(
                    "broker killed, away for " + away.toSeconds() + " s, an instance killed meanwhile",
                    trial.run("broker", Faults.brokerAway(stack, away)));
            outcomes.put(
                    "database killed and restarted " + databaseRestarts + " times",
                    trial.run("database", Faults.databaseRestarted(stack, databaseRestarts)));
            return outcomes;
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException cannot) {
                    throw new UncheckedIOException(cannot);
                }
            });
        }
    }

    private static void print(Map<String, Outcome> outcomes) {
        System.out.println(
                "| Fault | Way | Events it acknowledged | Lost | Out of order per key | Phantoms | Written again |");
        System.out.println("|---|---|---:|---:|---:|---:|---:|");
        outcomes.forEach((fault, outcome) -> outcome.findings().forEach((way, found) -> print(fault, way, found)));
        System.out.println();
        outcomes.forEach((fault, outcome) -> System.out.printf(
                Locale.ROOT,
                "%s: %.0f s; the consumer applied %,d events once each, left out %,d repetitions, %,d applied wrongly; %,d parked.%n%n",
                fault,
                outcome.seconds(),
                outcome.applied(),
                outcome.leftOut(),
                outcome.appliedWrongly(),
                outcome.parked()));
        boolean held = outcomes.values().stream().allMatch(Outcome::holds);
        System.out.println(
                "Goal: outbox and spool, 0 lost, 0 out of order per key, 0 phantoms, and none applied twice: "
                        + Goals.word(held) + ".");
    }

    private static void print(String fault, Way way, Findings found) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %,d %s | %,d | %,d | %,d | %,d |%n",
                fault,
                way.label(),
                found.acknowledged(),
                way.acknowledged(),
                found.lost(),
                found.outOfOrder(),
                found.phantoms(),
                found.repeated());
    }
}
