/** Text of others on its way into the database. */
@NullMarked
package dev.weir.store.text;

import org.jspecify.annotations.NullMarked;
