/** Results as self-contained HTML pages: text and tables from Java, plots drawn by the page's own script. */
@NullMarked
package dev.weir.lab.report;

import org.jspecify.annotations.NullMarked;
