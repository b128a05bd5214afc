package dev.weir.starter.shed;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.RefusalReason;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirFeature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code weir.shed} as the table shows it. */
final class ShedFeature implements WeirFeature {

    private final ShedProperties properties;
    private final @Nullable Admission admission;
    private final boolean filters;

    /** @param filters whether there is a filter that asks the admission */
    ShedFeature(ShedProperties properties, @Nullable Admission admission, boolean filters) {
        this.properties = properties;
        this.admission = admission;
        this.filters = filters;
    }

    @Override
    public String name() {
        return "shed";
    }

    @Override
    public FeatureStatus status() {
        if (!properties.enabled()) {
            return FeatureStatus.off();
        }
        Admission own = admission;
        if (own == null || !filters) {
            return new FeatureStatus(
                    State.UNAVAILABLE,
                    Map.of(),
                    List.of("It needs a servlet application: add spring-boot-starter-webmvc, or remove"
                            + " weir.shed.enabled."));
        }
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("mode", properties.mode().name().toLowerCase(Locale.ROOT));
        settings.put("limit", own.limit() + " requests");
        settings.put("in flight", own.inFlight() + " requests");
        settings.put("waiting", own.waiting() + " requests");
        settings.put("refused", refused(own) + " requests");
        settings.put("stage", own.stage().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        return new FeatureStatus(properties.dryRun() ? State.DRY_RUN : State.ON, settings, List.of());
    }

    private static long refused(Admission admission) {
        long sum = 0;
        for (RefusalReason reason : RefusalReason.values()) {
            for (Priority priority : Priority.values()) {
                sum += admission.refused(reason, priority);
            }
        }
        return sum;
    }
}
