/**
 * The express lane: hot read endpoints answered from encoded bytes that live and die with the cache entry, in Tomcat's
 * own poller thread where the request is plain, else in a servlet filter before the application.
 */
@NullMarked
package dev.weir.core.express;

import org.jspecify.annotations.NullMarked;
