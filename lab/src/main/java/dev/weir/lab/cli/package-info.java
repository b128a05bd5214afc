@NullMarked
package dev.weir.lab.cli;

import org.jspecify.annotations.NullMarked;
