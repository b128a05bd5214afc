@NullMarked
package dev.weir.lab.amount;

import org.jspecify.annotations.NullMarked;
