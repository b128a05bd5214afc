@NullMarked
package dev.weir.lab.host;

import org.jspecify.annotations.NullMarked;
