/** What all features share: each says at start, and live in {@code /actuator/weir}, what it does. */
@NullMarked
package dev.weir.starter;

import org.jspecify.annotations.NullMarked;
