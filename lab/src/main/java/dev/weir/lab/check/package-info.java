@NullMarked
package dev.weir.lab.check;

import org.jspecify.annotations.NullMarked;
