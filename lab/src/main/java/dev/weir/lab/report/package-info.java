@NullMarked
package dev.weir.lab.report;

import org.jspecify.annotations.NullMarked;
