/** Benchmarks (JMH) of buffers that any thread frees, each against its rivals and a control. */
@NullMarked
package dev.arenal.bench.buffers;

import org.jspecify.annotations.NullMarked;
