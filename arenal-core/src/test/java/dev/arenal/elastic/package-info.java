/** Spaces and arenas, from inside their package. */
@NullMarked
package dev.arenal.elastic;

import org.jspecify.annotations.NullMarked;
