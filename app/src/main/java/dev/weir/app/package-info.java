@NullMarked
package dev.weir.app;

import org.jspecify.annotations.NullMarked;
