/** Statistics: the activity of allocators per second, over the last seconds, minutes and hours. */
@NullMarked
package dev.arenal.stats;

import org.jspecify.annotations.NullMarked;
