/** Tests of the loads of buffers, most of them on a small scale in this process. */
@NullMarked
package dev.arenal.lab.buffers;

import org.jspecify.annotations.NullMarked;
