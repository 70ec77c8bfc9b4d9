/** The activity of allocators by second, in the last seconds, minutes and hours. */
@NullMarked
package dev.arenal.stats;

import org.jspecify.annotations.NullMarked;
