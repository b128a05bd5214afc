@NullMarked
package dev.weir.app.demo;

import org.jspecify.annotations.NullMarked;
