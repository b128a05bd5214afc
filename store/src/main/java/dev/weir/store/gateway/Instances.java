package dev.weir.store.gateway;

import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The gateways that are alive, by their rows in the database: each has the same share of the provider's limit. One that stops takes
 * its row away; the share of one that was killed is free after 5 seconds.
 */
final class Instances {

    /**
     * The gateways at this moment.
     *
     * @param count this one included, 1 or more
     * @param perSecondOfOthers what the others send a second
     * @param first whether this one is to do what is done once for all
     */
    record Seen(int count, double perSecondOfOthers, boolean first) {}

    private final JdbcTemplate jdbc;
    private final UUID own;

    Instances(JdbcTemplate jdbc, UUID own) {
        this.jdbc = jdbc;
        this.own = own;
    }

    /** Tells the others that this one is alive; to be called every second. */
    Seen beat(double perSecond) {
        jdbc.update(
                "insert into message_gateways (instance, seen_at, per_second) values (?, now(), ?) on conflict (instance)"
                        + " do update set seen_at = excluded.seen_at, per_second = excluded.per_second",
                own,
                perSecond);
        jdbc.update("delete from message_gateways where seen_at < now() - interval '5 seconds'");
        Seen seen = jdbc.queryForObject(
                "select count(*), coalesce(sum(per_second) filter (where instance <> ?), 0),"
                        + " not exists (select 1 from message_gateways where instance < ?) from message_gateways",
                (row, number) -> new Seen(Math.max(1, row.getInt(1)), row.getDouble(2), row.getBoolean(3)),
                own,
                own);
        return seen == null ? new Seen(1, 0, true) : seen;
    }

    /** Tells the others that this one ends. */
    void leave() {
        jdbc.update("delete from message_gateways where instance = ?", own);
    }
}
