/**
 * The means that keep a structure whole where a thread cannot go on in the middle of changing it:
 * at the end of the stack, or of the Java heap.
 *
 * <p>First, an operation that changes something makes sure of its stack ({@link
 * dev.arenal.guard.StackReserve}) and of the objects it needs. Second, where a critical section
 * ends by an error all the same, its owner is damaged ({@link dev.arenal.guard.Damage}) and serves
 * no more: nothing that is in doubt is handed out.
 */
@NullMarked
package dev.arenal.guard;

import org.jspecify.annotations.NullMarked;
