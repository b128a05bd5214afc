/** CPU per hot GET of the express lanes, beside Spring MVC in the same JVM, a C server, and other servers. */
@NullMarked
package dev.weir.bench.express;

import org.jspecify.annotations.NullMarked;
