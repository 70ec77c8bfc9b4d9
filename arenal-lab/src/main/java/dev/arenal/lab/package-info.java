/** The commands of {@code ./arenal}, one file each. */
@NullMarked
package dev.arenal.lab;

import org.jspecify.annotations.NullMarked;
