package dev.weir.core.cache;

import dev.weir.core.cache.PendingEvictions.Result;
import dev.weir.core.time.NanoClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One cache's evictions, as their callers wait for them: until Redis has them, in a strict cache until nobody answers otherwise. */
final class Evictions {
    private static final Logger LOG = LoggerFactory.getLogger(Evictions.class);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final Node node;
    private final Line line;
    private final NanoClock clock;
    private final Waits waits;
    private final long boundNanos;
    private final long attemptNanos;

    Evictions(Node node, Line line, NanoClock clock, Waits waits, CachesConfig common) {
        this.node = node;
        this.line = line;
        this.clock = clock;
        this.waits = waits;
        this.boundNanos = common.boundNanos();
        // Behind the batch under way, which itself may last as long, and with time for late answers.
        this.attemptNanos = 4 * common.commandTimeout().toNanos();
    }

    Eviction keys(List<String> keys) {
        return deliver(keys, false);
    }

    Eviction all() {
        return deliver(List.of(), true);
    }

    private Eviction deliver(List<String> keys, boolean all) {
        try {
            Result result = attempt(keys, all);
            if (line.strict()) {
                result = untilNobodyAnswers(keys, all, result);
            }
            return result instanceof Result.Delivered ? Eviction.DELIVERED : Eviction.DEFERRED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Eviction.DEFERRED;
        }
    }

    private Result attempt(List<String> keys, boolean all) throws InterruptedException {
        CompletableFuture<Result> result =
                all ? line.pending().addAll() : line.pending().add(keys);
        node.flush(line);
        try {
            return waits.get(result, attemptNanos);
        } catch (ExecutionException | TimeoutException unknown) {
            return new Result.Deferred();
        }
    }

    /**
     * A node that believes its entries answers for itself; one that says nothing stops believing within the bound, unless
     * it was the message that got lost: the second one shows the gap. If Redis cannot be reached, all nodes that cannot
     * either have stopped a bound after the last that was heard of them, and begin again only when this one can tell them. So
     * a bound is waited once in an outage, by those who write in it, and not once for each write.
     */
    private Result untilNobodyAnswers(List<String> keys, boolean all, Result first) throws InterruptedException {
        Result result = first;
        long deadline = clock.nanoTime() + boundNanos;
        while (!(result instanceof Result.Delivered) && !node.nobodyElseBelieves() && clock.nanoTime() - deadline < 0) {
            waits.pause(Math.max(1, Math.min(LONGEST_PAUSE_NANOS, deadline - clock.nanoTime())));
            result = attempt(keys, all);
        }
        if (result instanceof Result.Delivered delivered
                && !handledByAll(delivered)
                && attempt(keys, all) instanceof Result.Delivered again
                && !handledByAll(again)) {
            LOG.debug(
                    "A node did not confirm an eviction from {} within the bound and has stopped answering",
                    line.name());
        }
        return result;
    }

    private boolean handledByAll(Result.Delivered delivered) throws InterruptedException {
        try {
            return waits.get(node.handledByAll(line, delivered), boundNanos);
        } catch (ExecutionException | TimeoutException silent) {
            return false;
        }
    }
}
