/** Tests of the package. */
@NullMarked
package dev.arenal.page;

import org.jspecify.annotations.NullMarked;
