package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonValue;
import io.netty.channel.epoll.Epoll;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The transport of the proxy's channels. It is in plans and results, which processes without Netty
 * have: no method names a type of Netty's.
 */
public enum ProxyTransport {
  /** Epoll where its library can be loaded, else NIO. */
  AUTO("auto"),
  /** Netty's own library for Linux, which takes the addresses of buffers. */
  EPOLL("epoll"),
  /** That of the JDK, which takes them as {@link java.nio.ByteBuffer}. */
  NIO("nio");

  private final String label;

  ProxyTransport(String label) {
    this.label = label;
  }

  /** Its name on the command line and in results. */
  @JsonValue
  public String label() {
    return label;
  }

  /**
   * The transport of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ProxyTransport ofLabel(String label) {
    return Arrays.stream(values())
        .filter(transport -> transport.label.equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "unknown transport: name=%s (expected one of %s)"
                    .formatted(
                        label,
                        Arrays.stream(values())
                            .map(ProxyTransport::label)
                            .collect(Collectors.joining(", ")))));
  }

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
