/** {@code weir.shed}: requests are refused before they cost anything. */
@NullMarked
package dev.weir.starter.shed;

import org.jspecify.annotations.NullMarked;
