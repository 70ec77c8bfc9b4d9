/** An allocation manager for Arrow that takes its buffers from a page allocator. */
@NullMarked
package dev.arenal.arrow;

import org.jspecify.annotations.NullMarked;
