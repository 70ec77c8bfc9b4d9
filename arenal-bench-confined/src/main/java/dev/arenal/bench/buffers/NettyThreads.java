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
          "-XX:MaxDirectMemorySize=4g");

  private static final long IDLE_SECONDS = 60;

  /**
   * As JMH asks for it, by reflection.
   *
   * @param countThreads how many it will need
   * @param prefix of their names
   */
  public NettyThreads(int countThreads, String prefix) {
    super(
        countThreads,
        countThreads,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        new DefaultThreadFactory(prefix, true));
  }
}
