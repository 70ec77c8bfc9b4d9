/** Actions in callbacks of the library, for tests of several packages. */
@NullMarked
package dev.arenal.callbacks;

import org.jspecify.annotations.NullMarked;
