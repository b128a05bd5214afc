@NullMarked
package dev.weir.lab.collect;

import org.jspecify.annotations.NullMarked;
