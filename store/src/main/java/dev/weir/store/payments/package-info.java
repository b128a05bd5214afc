/** The client side of the payment provider. */
@NullMarked
package dev.weir.store.payments;

import org.jspecify.annotations.NullMarked;
