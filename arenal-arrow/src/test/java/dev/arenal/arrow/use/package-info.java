/** A program that is in no package of the library, so that the library can be modules beside it. */
@NullMarked
package dev.arenal.arrow.use;

import org.jspecify.annotations.NullMarked;
