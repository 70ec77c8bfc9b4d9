/** The program that the lab starts: plans of benchmarks, run in rounds. */
@NullMarked
package dev.arenal.bench.rounds;

import org.jspecify.annotations.NullMarked;
