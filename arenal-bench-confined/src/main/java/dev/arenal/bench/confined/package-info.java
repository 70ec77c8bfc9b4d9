/** Benchmarks (JMH) of confined arenas, each against its rivals and a control. */
@NullMarked
package dev.arenal.bench.confined;

import org.jspecify.annotations.NullMarked;
