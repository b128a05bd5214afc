/** How many events a second reach a broker, one by one, through the bare client, and through Weir's publisher. */
@NullMarked
package dev.weir.bench.publish;

import org.jspecify.annotations.NullMarked;
