/** {@code weir.route}: read-only transactions on replicas, a session's own writes always visible to it. */
@NullMarked
package dev.weir.starter.route;

import org.jspecify.annotations.NullMarked;
