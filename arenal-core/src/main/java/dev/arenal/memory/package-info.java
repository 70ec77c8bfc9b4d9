/** Budgets, commit modes, available memory, and reserved memory that a program manages itself. */
@NullMarked
package dev.arenal.memory;

import org.jspecify.annotations.NullMarked;
