/** The agent's records of a program's confined arenas: read, merged, judged. */
@NullMarked
package dev.arenal.lab.histogram;

import org.jspecify.annotations.NullMarked;
