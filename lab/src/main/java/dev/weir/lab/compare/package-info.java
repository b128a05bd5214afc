/**
 * Compares two ways to run a service.
 *
 * <p>{@link dev.weir.lab.compare.ServiceProcess} starts and stops a service; {@link dev.weir.lab.compare.Comparison}
 * restarts, warms and measures the two sides in turn; {@link dev.weir.lab.compare.Inference} says, from numbers alone,
 * whether they differ.
 */
@NullMarked
package dev.weir.lab.compare;

import org.jspecify.annotations.NullMarked;
