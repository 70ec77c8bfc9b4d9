/** Counts, samples them once a second and keeps their history; not exported. */
@NullMarked
package dev.arenal.stats.recorder;

import org.jspecify.annotations.NullMarked;
