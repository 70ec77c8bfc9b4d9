/** An allocator for Netty 4.2 that takes direct buffers from a page allocator. */
@NullMarked
package dev.arenal.netty;

import org.jspecify.annotations.NullMarked;
