/** What timing costs. */
@NullMarked
package dev.weir.bench.watch;

import org.jspecify.annotations.NullMarked;
