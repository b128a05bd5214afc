@NullMarked
package dev.weir.lab.size;

import org.jspecify.annotations.NullMarked;
