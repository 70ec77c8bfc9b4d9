package dev.arenal.bench.buffers;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of Netty's own kind for JMH, for all peers: with others Netty's allocators have no caches
 * of a thread, which would be unfair to them.
 */
public final class NettyThreads extends ThreadPoolExecutor {
  /**
   * Flags that make JMH use them, and Netty not look for leaks; memory as much as the others have.
   */
  public static final List<String> FLAGS =
      List.of(
          "-Djmh.executor=CUSTOM",
          "-Djmh.executor.class=" + NettyThreads.class.getName(),
          "-Dio.netty.leakDetection.level=disabled",
          // Without these it makes large buffers by ByteBuffer.allocateDirect, which zeroes them.
          "-Dio.netty.tryReflectionSetAccessible=true",
          "-Dio.netty.noUnsafe=false",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
          "-XX:MaxDirectMemorySize=4g");

  private static final long IDLE_SECONDS = 60;

  /**
   * As JMH asks for it, by reflection.
   *
   * @param threadCount how many it will need
   * @param prefix of their names
   */
  public NettyThreads(int threadCount, String prefix) {
    super(
        threadCount,
        threadCount,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        new DefaultThreadFactory(prefix, true));
  }
}
