/** Tests of Arrow's default, Arrow's own among them. */
@NullMarked
package dev.arenal.arrow.own;

import org.jspecify.annotations.NullMarked;
