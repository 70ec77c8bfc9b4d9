/** Confined arenas under JMH: what is measured, how it is run, and what the figures say. */
@NullMarked
package dev.arenal.lab.confined;

import org.jspecify.annotations.NullMarked;
