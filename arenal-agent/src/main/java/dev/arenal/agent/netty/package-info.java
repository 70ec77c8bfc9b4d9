/** Puts Arenal's pages behind the allocators of a program's own Netty. */
@NullMarked
package dev.arenal.agent.netty;

import org.jspecify.annotations.NullMarked;
