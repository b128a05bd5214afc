/** Runs of the load engine beside other generators and against known truths. */
@NullMarked
package dev.weir.bench.engine;

import org.jspecify.annotations.NullMarked;
