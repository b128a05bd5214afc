/** What admission costs, against other limiters. */
@NullMarked
package dev.weir.bench.shed;

import org.jspecify.annotations.NullMarked;
