/**
 * Shared by experiments that measure native memory in a process of their own: the process and its
 * result, its resident size, and heaps in the manner of malloc behind constants, with a proof that
 * the right one answers.
 */
@NullMarked
package dev.arenal.lab.heap;

import org.jspecify.annotations.NullMarked;
