package dev.arenal.lab.proxy;

import dev.arenal.lab.result.Labelled;
import dev.arenal.netty.ArenalByteBufAllocator;
import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.Version;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The program of the proxy's process. It says its port, and for each line that it is sent what
 * waits in it; it ends when no line can come any more.
 */
public final class ProxyMain {
  /** More than any wave needs, and less than a machine has addresses for. */
  private static final long CAPACITY_BYTES = 64L << 30;

  private ProxyMain() {}

  /**
   * Serves.
   *
   * @param args the arm, the origin's port, the high water mark, the kernel's buffer for a client,
   *     the uncommit delay in milliseconds, and the transport
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    ProxyArm arm = Labelled.named("arm", List.of(ProxyArm.values()), args[0]);
    Duration delay = Duration.ofMillis(Long.parseLong(args[4]));
    ProxyTransport transport;
    try {
      transport = Labelled.named("transport", List.of(ProxyTransport.values()), args[5]).resolve();
    } catch (IllegalStateException e) {
      System.err.println(e.getMessage());
      System.exit(1);
      return;
    }
    ByteBufAllocator allocator = allocator(arm, delay);
    ProxyServer server =
        new ProxyServer(
            allocator,
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            transport);
    PrintStream out = System.out;
    out.println("port %d %s netty %s".formatted(server.bind(), transport.label(), nettyVersion()));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    while (in.readLine() != null) {
      out.println("waiting " + server.waitingBytes());
    }
    // Buffers that are open do not matter any more.
    Runtime.getRuntime().halt(0);
  }

  private static String nettyVersion() {
    Version version = Version.identify().get("netty-buffer");
    return version == null ? "unknown" : version.artifactVersion();
  }

  /** All that differs between the arms, but for flags of the JVM. */
  private static ByteBufAllocator allocator(ProxyArm arm, Duration delay) {
    return switch (arm) {
      case NETTY_ADAPTIVE, ARENAL_AGENT -> ByteBufAllocator.DEFAULT;
      case NETTY_POOLED -> PooledByteBufAllocator.DEFAULT;
      case MALLOC_TRIM -> UnpooledByteBufAllocator.DEFAULT;
      case ARENAL ->
          new ArenalByteBufAllocator(
              PageAllocator.builder("proxy")
                  .capacityBytes(CAPACITY_BYTES)
                  .uncommitDelay(delay)
                  .zeroed(false)
                  .build(),
              true);
    };
  }
}
