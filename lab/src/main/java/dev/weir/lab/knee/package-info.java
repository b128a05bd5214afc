@NullMarked
package dev.weir.lab.knee;

import org.jspecify.annotations.NullMarked;
