/**
 * The message gateway: accepts messages faster than the provider takes them, tells each client when its message will be sent, and sends
 * at the provider's pace, in turns between the clients and in order per client and recipient.
 */
@NullMarked
package dev.weir.store.gateway;

import org.jspecify.annotations.NullMarked;
