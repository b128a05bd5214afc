@NullMarked
package dev.weir.lab.plan;

import org.jspecify.annotations.NullMarked;
