/** Tests of what experiments share that measure native memory. */
@NullMarked
package dev.arenal.lab.heap;

import org.jspecify.annotations.NullMarked;
