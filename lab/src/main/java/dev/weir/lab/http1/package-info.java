@NullMarked
package dev.weir.lab.http1;

import org.jspecify.annotations.NullMarked;
