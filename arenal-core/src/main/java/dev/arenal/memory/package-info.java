/** Budgets, commit modes, available memory, and memory that a program manages itself. */
@NullMarked
package dev.arenal.memory;

import org.jspecify.annotations.NullMarked;
