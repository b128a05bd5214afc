/** Admission before any work: an adaptive or fixed limit on requests in flight, by priority, and the service's pressure. */
@NullMarked
package dev.weir.core.shed;

import org.jspecify.annotations.NullMarked;
