package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.page.PageAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** Buffers that one thread fills, and another one reads and releases. */
final class HandOverTest {
  private static final int PAIR_COUNT = 4;
  private static final int BUFFER_COUNT = 1000;
  private static final int MOST_BYTES = 40_000;

  private final long seed = Long.getLong("test.seed", System.nanoTime());

  @Test
  void buffersKeepTheirContents() throws Exception {
    PageAllocator pages = Roots.pages();
    try (BufferAllocator root = Roots.over(pages)) {
      List<FutureTask<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < PAIR_COUNT; i++) {
        BlockingQueue<ArrowBuf> queue = new ArrayBlockingQueue<>(64);
        SplittableRandom random = new SplittableRandom(seed + i);
        tasks.add(new FutureTask<>(() -> fill(root, queue, random)));
        tasks.add(new FutureTask<>(() -> check(queue)));
      }
      for (FutureTask<Integer> task : tasks) {
        Thread.ofPlatform().start(task);
      }
      for (FutureTask<Integer> task : tasks) {
        assertThat(task.get()).as("seed %d", seed).isEqualTo(BUFFER_COUNT);
      }
      assertThat(root.getAllocatedMemory()).isZero();
    }
    pages.close();
  }

  private static int fill(
      BufferAllocator root, BlockingQueue<ArrowBuf> queue, SplittableRandom random)
      throws InterruptedException {
    for (int i = 0; i < BUFFER_COUNT; i++) {
      int stamp = random.nextInt();
      int intCount = 1 + random.nextInt(MOST_BYTES / Integer.BYTES);
      ArrowBuf buffer = root.buffer((long) intCount * Integer.BYTES);
      for (int j = 0; j < intCount; j++) {
        buffer.writeInt(stamp + j);
      }
      queue.put(buffer);
    }
    return BUFFER_COUNT;
  }

  private static int check(BlockingQueue<ArrowBuf> queue) throws InterruptedException {
    for (int i = 0; i < BUFFER_COUNT; i++) {
      ArrowBuf buffer = queue.take();
      int stamp = buffer.getInt(0);
      for (int j = 0; (long) j * Integer.BYTES < buffer.readableBytes(); j++) {
        if (buffer.getInt((long) j * Integer.BYTES) != stamp + j) {
          throw new AssertionError("another value: index=" + j + ", buffer=" + buffer);
        }
      }
      buffer.close();
    }
    return BUFFER_COUNT;
  }
}
