/**
 * Three layers, one promise: after a write is committed and evicted, no node answers with the old value for longer than
 * the stated bound, also when messages are lost. {@link dev.weir.core.cache.LayeredCaches} makes the caches of a node,
 * {@link dev.weir.core.cache.LayeredCache} is one of them.
 */
@NullMarked
package dev.weir.core.cache;

import org.jspecify.annotations.NullMarked;
