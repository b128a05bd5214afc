/** What belongs to starting the process: the port file, the parent to die with, clear failures. */
@NullMarked
package dev.weir.store.start;

import org.jspecify.annotations.NullMarked;
