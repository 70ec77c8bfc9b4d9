/** The activity of allocators, each second, in the last minutes and hours. */
@NullMarked
package dev.arenal.stats;

import org.jspecify.annotations.NullMarked;
