/** The allocations of closed arenas: counted in the program, written, read again, merged. */
@NullMarked
package dev.arenal.agent.histogram;

import org.jspecify.annotations.NullMarked;
