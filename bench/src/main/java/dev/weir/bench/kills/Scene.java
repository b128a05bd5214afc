package dev.weir.bench.kills;

import dev.weir.core.outbox.OutboxConfig;
import dev.weir.stack.Stack;
import java.time.Duration;
import java.util.List;

/**
 * Where a part of the run takes place: servers, and tables and topics of its own.
 *
 * @param name lower-case letters and _
 */
record Scene(String name, String jdbcUrl, String user, String password, String bootstrap) {
    /** Rows of the database that events of the outbox are about, and their keys. */
    static final int OUTBOX_KEYS = 16;

    private static final int WORDS = 5;

    static Scene on(Stack stack, String name) {
        return new Scene(
                name,
                stack.postgres().jdbcUrl(),
                stack.postgres().user(),
                stack.postgres().password(),
                stack.kafka().bootstrap());
    }

    /** For the command line of another process. */
    List<String> words() {
        return List.of(name, jdbcUrl, user, password, bootstrap);
    }

    static Scene parse(List<String> words) {
        if (words.size() < WORDS) {
            throw new IllegalArgumentException("A scene has " + WORDS + " words; " + words.size() + " were given.");
        }
        return new Scene(words.get(0), words.get(1), words.get(2), words.get(3), words.get(4));
    }

    /** Leases as short as they may be: the dead are many. */
    OutboxConfig outbox() {
        return OutboxConfig.defaults()
                .withTable("kills_" + name)
                .withLeaseTime(Duration.ofSeconds(1))
                .withPollInterval(Duration.ofMillis(100));
    }

    /** Each key's number of committed events. */
    String keyTable() {
        return "kills_" + name + "_keys";
    }

    /** Ids that the consumer has seen. */
    String seenTable() {
        return "kills_" + name + "_seen";
    }

    /** What the consumer has done. */
    String totalsTable() {
        return "kills_" + name + "_totals";
    }

    String topic(Way way) {
        return "kills-" + name + "-" + way.word();
    }
}
