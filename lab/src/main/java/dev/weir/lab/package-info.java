@NullMarked
package dev.weir.lab;

import org.jspecify.annotations.NullMarked;
