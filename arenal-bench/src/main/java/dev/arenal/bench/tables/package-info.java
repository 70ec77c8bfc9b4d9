/**
 * Turns committed results into the tables that people read: {@code docs/benchmarks/.../tables.md}
 * and the marked section of README. No number is copied by hand.
 */
@NullMarked
package dev.arenal.bench.tables;

import org.jspecify.annotations.NullMarked;
