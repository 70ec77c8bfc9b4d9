/** Tests of the package. */
@NullMarked
package dev.arenal.page.span;

import org.jspecify.annotations.NullMarked;
