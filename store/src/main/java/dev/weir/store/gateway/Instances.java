package dev.weir.store.gateway;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
     * @param measured how those see it that have measured anything
     */
    record Seen(List<Double> demands, double perSecondOfOthers, boolean first, List<Outlook> measured) {}

    private final JdbcTemplate jdbc;
    private final UUID own;

    Instances(JdbcTemplate jdbc, UUID own) {
        this.jdbc = jdbc;
        this.own = own;
    }

    /** Tells the others that this one is alive and how it stands; to be called every second. */
    Seen beat(Outlook outlook, double demand) {
        jdbc.update(
                "insert into message_gateways (instance, seen_at, per_second, demand, way_millis, send_millis)"
                        + " values (?, now(), ?, ?, ?, ?) on conflict (instance) do update set seen_at = excluded.seen_at,"
                        + " per_second = excluded.per_second, demand = excluded.demand, way_millis = excluded.way_millis,"
                        + " send_millis = excluded.send_millis",
                own,
                outlook.perSecond(),
                demand,
                outlook.measured() ? (double) outlook.way().toMillis() : null,
                outlook.measured() ? (double) outlook.send().toMillis() : null);
        jdbc.update("delete from message_gateways where seen_at < now() - interval '5 seconds'");
        List<Row> others = jdbc.query(
                "select instance < ?, per_second, demand, way_millis, send_millis from message_gateways"
                        + " where instance <> ?",
                (row, number) -> row(row),
                own,
                own);
        return new Seen(
                others.stream().map(Row::demand).toList(),
                others.stream().mapToDouble(other -> other.outlook.perSecond()).sum(),
                others.stream().noneMatch(Row::before),
                others.stream().map(Row::outlook).filter(Outlook::measured).toList());
    }

    /**
     * Another gateway.
     *
     * @param before whether it stands before this one
     */
    private record Row(boolean before, double demand, Outlook outlook) {}

    private static Row row(ResultSet row) throws SQLException {
        double way = row.getDouble("way_millis");
        double send = row.getDouble("send_millis");
        boolean measured = !row.wasNull();
        var outlook = new Outlook(
                row.getDouble("per_second"), Duration.ofMillis((long) way), Duration.ofMillis((long) send), measured);
        return new Row(row.getBoolean(1), row.getDouble("demand"), outlook);
    }

    /** Tells the others that this one ends. */
    void leave() {
        jdbc.update("delete from message_gateways where instance = ?", own);
    }
}
