/** What is lost, reordered, invented or repeated when services, the broker and the database die: outbox, spool, a plain buffer. */
@NullMarked
package dev.weir.bench.kills;

import org.jspecify.annotations.NullMarked;
