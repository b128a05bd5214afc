package dev.weir.lab.knee;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link StepJudge} made of one step.
 *
 * @param passed whether the rate was sustained
 * @param limit what broke first; null where it passed
 * @param decisive a failure that chance does not explain; false where it passed
 * @param reasons why it did not pass, each with its figures; empty where it did
 * @param headroom smallest of limit / value over the latency objectives: 1 or more where they hold; infinite without
 *     objectives
 * @param throughput the rate completed under a standing backlog; null where there was none
 * @param busy there was a standing backlog nearly all the time, so {@code throughput} is the service's and not the load's
 */
public record Judgement(
        boolean passed,
        Capacity.@Nullable Limit limit,
        boolean decisive,
        List<String> reasons,
        double headroom,
        @Nullable Throughput throughput,
        boolean busy) {

    public Judgement {
        reasons = List.copyOf(reasons);
    }
}
