/** Pooled arenas, from inside their package. */
@NullMarked
package dev.arenal.confined;

import org.jspecify.annotations.NullMarked;
