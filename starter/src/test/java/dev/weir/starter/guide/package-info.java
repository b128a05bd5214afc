/** The guide, followed to the letter. */
@NullMarked
package dev.weir.starter.guide;

import org.jspecify.annotations.NullMarked;
