/** The layered cache against peers: cost of a hit, loads in a storm, stale reads under faults. */
@NullMarked
package dev.weir.bench.cache;

import org.jspecify.annotations.NullMarked;
