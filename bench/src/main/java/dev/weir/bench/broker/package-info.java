/** What the benches on a real database and broker share. */
@NullMarked
package dev.weir.bench.broker;

import org.jspecify.annotations.NullMarked;
