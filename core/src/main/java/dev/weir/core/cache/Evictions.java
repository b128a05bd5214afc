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
     * A node that was handed the message answers for itself; one that was not stops believing its entries within the
     * bound. If Redis cannot be reached, all nodes that cannot either stop likewise.
     */
    private Result untilNobodyAnswers(List<String> keys, boolean all, Result first) throws InterruptedException {
        Result result = first;
        long deadline = clock.nanoTime() + boundNanos;
        while (!(result instanceof Result.Delivered) && clock.nanoTime() - deadline < 0) {
            waits.pause(Math.max(1, Math.min(LONGEST_PAUSE_NANOS, deadline - clock.nanoTime())));
            result = attempt(keys, all);
        }
        if (result instanceof Result.Delivered delivered) {
            awaitHandled(delivered);
        }
        return result;
    }

    private void awaitHandled(Result.Delivered delivered) throws InterruptedException {
        try {
            waits.get(node.handledByAll(line, delivered), boundNanos);
        } catch (ExecutionException | TimeoutException silent) {
            LOG.debug("A node did not confirm an eviction within the bound and has stopped answering", silent);
        }
    }
}
