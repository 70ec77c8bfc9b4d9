/** Tests of what the benchmarks of buffers are made of. */
@NullMarked
package dev.arenal.bench.buffers;

import org.jspecify.annotations.NullMarked;
