/** Reservations, granules and their commit mask, budgets, pretouch. */
@NullMarked
package dev.arenal.memory;

import org.jspecify.annotations.NullMarked;
