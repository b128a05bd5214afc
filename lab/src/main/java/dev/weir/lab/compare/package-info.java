@NullMarked
package dev.weir.lab.compare;

import org.jspecify.annotations.NullMarked;
