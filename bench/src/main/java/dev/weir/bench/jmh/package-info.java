/** Runs JMH benches side by side and writes their tables. */
@NullMarked
package dev.weir.bench.jmh;

import org.jspecify.annotations.NullMarked;
