/** Makes memory resident: asks whether it is there, and touches it with many threads. */
@NullMarked
package dev.arenal.touch;

import org.jspecify.annotations.NullMarked;
