package dev.weir.lab.load;

import dev.weir.lab.plan.Load;
import dev.weir.lab.plan.RequestPlan;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one run of {@code weir load} was asked for, as its JSON output tells it.
 *
 * @param mode {@code constant}, {@code poisson} or {@code closed}
 * @param ratePerSecond total; null for a closed loop
 * @param maxRequests null for no such bound
 * @param requests what was sent and how often
 */
public record LoadOptions(
        String url,
        String mode,
        @Nullable Double ratePerSecond,
        double durationSeconds,
        @Nullable Long maxRequests,
        int threads,
        int connections,
        double timeoutSeconds,
        long seed,
        List<RequestPlan.Share> requests) {

    public LoadOptions {
        requests = List.copyOf(requests);
    }

    /** The options of a run. */
    public static LoadOptions of(RequestPlan plan, Load load, int threads, int connections, double timeoutSeconds) {
        return new LoadOptions(
                plan.target().url(),
                load.mode().name().toLowerCase(Locale.ROOT),
                load.mode() == Load.Mode.CLOSED ? null : load.ratePerSecond(),
                load.duration().toNanos() / 1e9,
                load.maxRequests() == Long.MAX_VALUE ? null : load.maxRequests(),
                threads,
                connections,
                timeoutSeconds,
                load.seed(),
                plan.shares());
    }
}
