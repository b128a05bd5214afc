/** A small server that plays the payment and the message provider. */
@NullMarked
package dev.weir.store.provider;

import org.jspecify.annotations.NullMarked;
