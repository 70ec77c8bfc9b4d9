/** Tests of the package. */
@NullMarked
package dev.arenal.touch;

import org.jspecify.annotations.NullMarked;
