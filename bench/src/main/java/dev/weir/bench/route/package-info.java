/** What routing costs, and how many stale reads it prevents. */
@NullMarked
package dev.weir.bench.route;

import org.jspecify.annotations.NullMarked;
