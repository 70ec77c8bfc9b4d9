/** Tests of the package. */
@NullMarked
package dev.arenal.stats;

import org.jspecify.annotations.NullMarked;
