/** What is written down beside an order: a line for auditors, facts for analysts. */
@NullMarked
package dev.weir.store.audit;

import org.jspecify.annotations.NullMarked;
