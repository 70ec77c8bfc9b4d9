/** What it costs at the start to find out that memory is there: JVMs, Arenal, and the kernel. */
@NullMarked
package dev.arenal.lab.pretouch;

import org.jspecify.annotations.NullMarked;
