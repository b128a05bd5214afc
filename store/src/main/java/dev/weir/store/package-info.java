@NullMarked
package dev.weir.store;

import org.jspecify.annotations.NullMarked;
