/** RFC 9457 problem details for every error this service answers. */
@NullMarked
package dev.weir.store.problems;

import org.jspecify.annotations.NullMarked;
