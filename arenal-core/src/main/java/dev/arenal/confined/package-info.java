/** Confined arenas for the length of a call, with memory from a pool of the thread. */
@NullMarked
package dev.arenal.confined;

import org.jspecify.annotations.NullMarked;
