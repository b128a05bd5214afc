/** {@code weir.pool}: HikariCP pools sized by the database server's cores and the share of each instance. */
@NullMarked
package dev.weir.starter.pool;

import org.jspecify.annotations.NullMarked;
