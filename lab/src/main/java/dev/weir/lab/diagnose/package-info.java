@NullMarked
package dev.weir.lab.diagnose;

import org.jspecify.annotations.NullMarked;
