/** Tests of the package. */
@NullMarked
package dev.arenal.stats.recorder;

import org.jspecify.annotations.NullMarked;
