/**
 * Faults of the JVM, made to order: the Nth object creation inside the library throws {@link
 * java.lang.OutOfMemoryError}, the Nth call of one of its methods {@link
 * java.lang.StackOverflowError}.
 *
 * <p>{@link dev.arenal.faults.FaultLoader} loads the library a second time, rewritten so that
 * {@link dev.arenal.faults.Faults} is asked at each such place, and the program of a test with it.
 * {@link dev.arenal.faults.FaultSweep} runs a program once for each N that it reaches.
 */
@NullMarked
package dev.arenal.faults;

import org.jspecify.annotations.NullMarked;
