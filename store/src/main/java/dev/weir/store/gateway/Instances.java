package dev.weir.store.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The gateways that are alive, by their rows in the database, from which each reckons its share of the provider's limit. One that stops
 * takes its row away; the share of one that was killed is free after 5 seconds.
 */
final class Instances {

    /**
     * The other gateways at this moment.
     *
     * @param demands what each of them could send a second; infinite where it has a backlog
     * @param perSecondOfOthers what they send a second
     * @param first whether this one is to do what is done once for all
     */
    record Seen(List<Double> demands, double perSecondOfOthers, boolean first) {}

    private final JdbcTemplate jdbc;
    private final UUID own;

    Instances(JdbcTemplate jdbc, UUID own) {
        this.jdbc = jdbc;
        this.own = own;
    }

    /** Tells the others that this one is alive and how it stands; to be called every second. */
    Seen beat(double perSecond, double demand) {
        jdbc.update(
                "insert into message_gateways (instance, seen_at, per_second, demand) values (?, now(), ?, ?) on conflict"
                        + " (instance) do update set seen_at = excluded.seen_at, per_second = excluded.per_second,"
                        + " demand = excluded.demand",
                own,
                perSecond,
                demand);
        jdbc.update("delete from message_gateways where seen_at < now() - interval '5 seconds'");
        List<Double> demands = new ArrayList<>();
        double[] sum = new double[1];
        boolean[] first = {true};
        jdbc.query(
                "select instance < ?, per_second, demand from message_gateways where instance <> ?",
                row -> {
                    first[0] &= !row.getBoolean(1);
                    sum[0] += row.getDouble(2);
                    demands.add(row.getDouble(3));
                },
                own,
                own);
        return new Seen(demands, sum[0], first[0]);
    }

    /** Tells the others that this one ends. */
    void leave() {
        jdbc.update("delete from message_gateways where instance = ?", own);
    }
}
