/** What threads cost and carry. */
@NullMarked
package dev.weir.bench.threads;

import org.jspecify.annotations.NullMarked;
