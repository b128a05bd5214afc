/** {@code weir.cache}: the layered cache as Spring's {@code CacheManager}, aware of transactions. */
@NullMarked
package dev.weir.starter.cache;

import org.jspecify.annotations.NullMarked;
