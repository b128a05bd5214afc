@NullMarked
package dev.weir.lab.measure;

import org.jspecify.annotations.NullMarked;
