/** One run of {@code weir load}: reaching the target, telling the progress, and what comes out as text, JSON and log. */
@NullMarked
package dev.weir.lab.load;

import org.jspecify.annotations.NullMarked;
