/** Benchmarks (JMH) and concurrency tests (jcstress), each with named competitors or a control. */
@NullMarked
package dev.arenal.bench;

import org.jspecify.annotations.NullMarked;
