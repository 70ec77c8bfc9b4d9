/** Tests of the package. */
@NullMarked
package dev.arenal.pretouch;

import org.jspecify.annotations.NullMarked;
