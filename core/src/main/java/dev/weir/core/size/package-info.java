/** How large pools must be: arithmetic with its sources, nothing that measures. */
@NullMarked
package dev.weir.core.size;

import org.jspecify.annotations.NullMarked;
