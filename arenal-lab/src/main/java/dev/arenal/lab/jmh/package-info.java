/**
 * Benchmarks under JMH, in a program of their own: a plan, its run, and the results of its cells.
 */
@NullMarked
package dev.arenal.lab.jmh;

import org.jspecify.annotations.NullMarked;
