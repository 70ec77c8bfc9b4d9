/**
 * A Netty proxy between slow clients and a fast origin, by allocator: what of its memory stays when
 * the clients have gone, how fast it is, and whether it survives in a small container.
 *
 * <pre>
 *   ./arenal proxy -- Work --> peers: clients and origin, plain NIO
 *                                |  loopback   ^
 *                                v             |
 *                              ProxyMain: Netty, in a process of its own
 * </pre>
 */
@NullMarked
package dev.arenal.lab.proxy;

import org.jspecify.annotations.NullMarked;
