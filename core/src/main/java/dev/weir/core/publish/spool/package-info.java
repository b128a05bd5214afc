/**
 * A log of records on disk, written ahead and read back in order: {@link dev.weir.core.publish.spool.Spool}. It knows nothing of
 * events.
 */
@NullMarked
package dev.weir.core.publish.spool;

import org.jspecify.annotations.NullMarked;
