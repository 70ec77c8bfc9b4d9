/** Arenal's figures as meters of Micrometer. */
@NullMarked
package dev.arenal.micrometer;

import org.jspecify.annotations.NullMarked;
