/** JSON against protobuf. */
@NullMarked
package dev.weir.bench.protobuf;

import org.jspecify.annotations.NullMarked;
