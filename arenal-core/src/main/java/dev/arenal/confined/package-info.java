/** Confined arenas for the scratch memory of a call, with memory from a pool. */
@NullMarked
package dev.arenal.confined;

import org.jspecify.annotations.NullMarked;
