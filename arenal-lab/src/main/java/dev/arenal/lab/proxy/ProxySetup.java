package dev.arenal.lab.proxy;

import java.time.Duration;

/**
 * How a proxy is set up.
 *
 * @param arm what its buffers come from
 * @param delay how long those keep free memory that are to give it back soon
 * @param waterMarkBytes what may wait for a client before the origin is not read any more
 * @param sendBufferBytes what the kernel keeps for a client beside that; 0 for its own choice
 * @param classPath its code
 * @param agent the agent's jar; may be empty for other arms
 */
record ProxySetup(
    ProxyArm arm,
    Duration delay,
    int waterMarkBytes,
    int sendBufferBytes,
    String classPath,
    String agent) {}
