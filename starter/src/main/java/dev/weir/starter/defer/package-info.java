/** {@code weir.defer}: work that need not be done before the answer, by annotation and by call. */
@NullMarked
package dev.weir.starter.defer;

import org.jspecify.annotations.NullMarked;
