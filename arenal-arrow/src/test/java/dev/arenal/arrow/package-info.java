/** Tests of the allocation manager for Arrow. */
@NullMarked
package dev.arenal.arrow;

import org.jspecify.annotations.NullMarked;
