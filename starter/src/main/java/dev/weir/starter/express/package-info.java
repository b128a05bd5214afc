/** The express lane as configuration: {@code weir.express}. */
@NullMarked
package dev.weir.starter.express;

import org.jspecify.annotations.NullMarked;
