package dev.weir.core.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.core.publish.KafkaTransports;
import dev.weir.core.publish.PublisherConfig;
import java.util.Map;

/** A process with a relay, until it is killed: URL, user, password, bootstrap, table. */
final class RelayChild {
    private RelayChild() {}

    public static void main(String[] arguments) throws Exception {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl(arguments[0]);
        database.setUsername(arguments[1]);
        database.setPassword(arguments[2]);
        database.setMaximumPoolSize(2);
        OutboxConfig config = OutboxIT.CONFIG.withTable(arguments[4]);
        KafkaTransports transports =
                KafkaTransports.of(Map.of("bootstrap.servers", arguments[3]), PublisherConfig.defaults());
        Relay relay = Relay.start(config, new Outbox(config), database, new KafkaTarget(transports, 1_000_000));
        while (true) {
            System.out.println("lanes " + relay.stats().lanes() + " delivered "
                    + relay.stats().delivered());
            System.out.flush();
            Thread.sleep(50);
        }
    }
}
