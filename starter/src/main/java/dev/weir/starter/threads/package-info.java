/** {@code weir.threads}: virtual threads for the server and the application's executors, and what pins them. */
@NullMarked
package dev.weir.starter.threads;

import org.jspecify.annotations.NullMarked;
