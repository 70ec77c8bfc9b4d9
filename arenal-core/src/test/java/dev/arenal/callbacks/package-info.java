/** What tests of several packages do in callbacks of the library. */
@NullMarked
package dev.arenal.callbacks;

import org.jspecify.annotations.NullMarked;
