/** Tests of the allocator for Netty, Netty's own among them. */
@NullMarked
package dev.arenal.netty;

import org.jspecify.annotations.NullMarked;
