/**
 * The way of memory to the kernel and back, for all that commit it: claims and the threads that
 * wait for them, when idle memory is due, and the one thread that gives it back.
 */
@NullMarked
package dev.arenal.supply;

import org.jspecify.annotations.NullMarked;
