/** Helps tests of events. */
@NullMarked
package dev.arenal.events;

import org.jspecify.annotations.NullMarked;
