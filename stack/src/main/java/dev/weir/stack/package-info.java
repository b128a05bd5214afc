@NullMarked
package dev.weir.stack;

import org.jspecify.annotations.NullMarked;
