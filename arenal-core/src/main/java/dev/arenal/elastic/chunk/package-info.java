/**
 * Free and used chunks of a space: reserved mappings, the roots of 16 MiB in them, and the buddies
 * that roots are split into. Knows no arenas.
 */
@NullMarked
package dev.arenal.elastic.chunk;

import org.jspecify.annotations.NullMarked;
