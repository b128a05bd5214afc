/** Orders: placed once, charged once, never for stock that is not there. */
@NullMarked
package dev.weir.store.orders;

import org.jspecify.annotations.NullMarked;
