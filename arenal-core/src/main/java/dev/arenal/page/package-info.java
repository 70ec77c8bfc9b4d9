/** Pages of native memory, and buffers in them that any thread may free. */
@NullMarked
package dev.arenal.page;

import org.jspecify.annotations.NullMarked;
