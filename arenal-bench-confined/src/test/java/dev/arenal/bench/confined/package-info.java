/** Tests of what the benchmarks of confined arenas are made of. */
@NullMarked
package dev.arenal.bench.confined;

import org.jspecify.annotations.NullMarked;
