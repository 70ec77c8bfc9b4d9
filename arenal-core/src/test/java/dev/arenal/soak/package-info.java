/** All allocators at once under one budget, for long, with faults of all kinds. */
@NullMarked
package dev.arenal.soak;

import org.jspecify.annotations.NullMarked;
