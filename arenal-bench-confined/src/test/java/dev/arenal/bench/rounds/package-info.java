/** Tests of plans, and of what JMH is told of them. */
@NullMarked
package dev.arenal.bench.rounds;

import org.jspecify.annotations.NullMarked;
