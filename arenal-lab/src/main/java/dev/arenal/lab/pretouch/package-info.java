/** The cost of resident memory at the start: JVMs, Arenal, and the kernel. */
@NullMarked
package dev.arenal.lab.pretouch;

import org.jspecify.annotations.NullMarked;
