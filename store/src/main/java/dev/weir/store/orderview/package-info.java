/** The orders as a consumer of their events knows them: a read model of its own, kept from Kafka. */
@NullMarked
package dev.weir.store.orderview;

import org.jspecify.annotations.NullMarked;
