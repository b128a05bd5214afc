/** {@code weir outbox}: what a service with {@code weir.outbox} set aside, for an operator. */
@NullMarked
package dev.weir.app.outbox;

import org.jspecify.annotations.NullMarked;
