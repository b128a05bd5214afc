package dev.weir.starter.outbox;

import dev.weir.core.outbox.Backlog;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How {@code weir.outbox} stands. */
final class OutboxFeature implements WeirFeature {

    private static final Duration LATE = Duration.ofMinutes(1);

    private final OutboxProperties properties;
    private final List<OutboxRelay> relays;

    /** @param relays none where something the outbox needs is missing */
    OutboxFeature(OutboxProperties properties, List<OutboxRelay> relays) {
        this.properties = properties;
        this.relays = relays;
    }

    @Override
    public String name() {
        return "outbox";
    }

    @Override
    public FeatureStatus status() {
        if (!properties.enabled()) {
            return FeatureStatus.off();
        }
        if (relays.isEmpty()) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of(
                            "There is no data source, or Spring's JDBC support is missing: add spring-boot-starter-jdbc and"
                                    + " PostgreSQL's driver."));
        }
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("target", properties.target().name().toLowerCase(Locale.ROOT));
        List<String> warnings = new ArrayList<>();
        for (OutboxRelay relay : relays) {
            settings.put(relay.name(), describe(relay));
            relay.backlog().ifPresent(backlog -> warn(relay, backlog, warnings));
        }
        return new FeatureStatus(State.ON, settings, warnings);
    }

    private static String describe(OutboxRelay relay) {
        String table = relay.backlog()
                .map(backlog -> "%d waiting, %d parked".formatted(backlog.waiting(), backlog.parked()))
                .orElse("table " + relay.table());
        return relay.delivers()
                ? "%s, %d delivered, %d of 64 parts"
                        .formatted(
                                table, relay.stats().delivered(), relay.stats().lanes())
                : table + ", no relay here";
    }

    private static void warn(OutboxRelay relay, Backlog backlog, List<String> warnings) {
        if (backlog.parked() > 0) {
            warnings.add(
                    "%d events of outbox %s are parked, for they failed too often: /actuator/weiroutbox/%s tells why, and replays or discards them."
                            .formatted(backlog.parked(), relay.name(), relay.name()));
        }
        if (backlog.oldestAge().compareTo(LATE) > 0) {
            warnings.add(
                    "The oldest event of outbox %s has waited for %d s; its target does not answer, or cannot keep up."
                            .formatted(relay.name(), backlog.oldestAge().toSeconds()));
        }
    }
}
