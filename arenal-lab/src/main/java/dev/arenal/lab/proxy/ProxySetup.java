package dev.arenal.lab.proxy;

import java.time.Duration;

/**
 * How a proxy and its origin are set up.
 *
 * @param arm what its buffers come from
 * @param delay how long those keep free memory that are to give it back soon
 * @param waterMarkBytes what may wait for a client before the origin is not read any more
 * @param sendBufferBytes what the kernel keeps for a client beside that; 0 for its own choice
 * @param pieceBytes what its origin sends at a time
 * @param transport of its channels
 */
record ProxySetup(
    ProxyArm arm,
    Duration delay,
    int waterMarkBytes,
    int sendBufferBytes,
    int pieceBytes,
    ProxyTransport transport) {}
