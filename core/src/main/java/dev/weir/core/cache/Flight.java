package dev.weir.core.cache;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One load of one key on this node, which others may join.
 *
 * @param token taken when it began
 * @param startedNanos when it began
 * @param owner the thread that loads; null for a refresh
 * @param ended completes with the entry, with null where it is for the loading caller alone, or with the loader's exception
 */
record Flight<V>(Token token, long startedNanos, @Nullable Thread owner, CompletableFuture<@Nullable Entry<V>> ended) {

    static <V> Flight<V> of(Token token, long startedNanos, @Nullable Thread owner) {
        return new Flight<>(token, startedNanos, owner, new CompletableFuture<>());
    }
}
