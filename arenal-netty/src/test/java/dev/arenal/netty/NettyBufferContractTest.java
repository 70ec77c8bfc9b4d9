package dev.arenal.netty;

/** Netty's own tests of a buffer, as it comes. */
final class NettyBufferContractTest extends BufferContract {}
