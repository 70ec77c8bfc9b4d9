package dev.arenal.lab.proxy;

import dev.arenal.lab.result.Labelled;
import io.netty.channel.epoll.Epoll;

/**
 * The transport of the proxy's channels. It is in plans and results, which processes without Netty
 * have: no method names a type of Netty's.
 */
public enum ProxyTransport implements Labelled {
  /** Epoll where its library can be loaded, else NIO. */
  AUTO,
  /** Netty's own library for Linux, which takes the addresses of buffers. */
  EPOLL,
  /** That of the JDK, which takes them as {@link java.nio.ByteBuffer}. */
  NIO;

  /**
   * One that this process can use, never {@link #AUTO}.
   *
   * @throws IllegalStateException if this one cannot be used here
   */
  ProxyTransport resolve() {
    if (this == NIO) {
      return NIO;
    }
    if (Epoll.isAvailable()) {
      return EPOLL;
    }
    if (this == EPOLL) {
      throw new IllegalStateException(
          "epoll cannot be used here: reason=%s (expected Netty's native library for this machine;"
                  .formatted(Epoll.unavailabilityCause().getMessage())
              + " or take --transport nio)");
    }
    return NIO;
  }
}
