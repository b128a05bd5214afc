@NullMarked
package dev.weir.lab.arrival;

import org.jspecify.annotations.NullMarked;
