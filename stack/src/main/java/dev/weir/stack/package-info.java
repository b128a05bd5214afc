/**
 * Real PostgreSQL (a primary and streaming standbys), Redis and Kafka as child processes, from Maven artifacts alone.
 *
 * <p>{@link dev.weir.stack.Stack} is the way in from Java, {@link dev.weir.stack.StackCommand} from the command line.
 */
@NullMarked
package dev.weir.stack;

import org.jspecify.annotations.NullMarked;
