/** {@code weir.target}: the web server sized for a rate and a latency. */
@NullMarked
package dev.weir.starter.target;

import org.jspecify.annotations.NullMarked;
