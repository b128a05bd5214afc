@NullMarked
package dev.weir.lab.engine;

import org.jspecify.annotations.NullMarked;
