package dev.arenal.netty;

import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;

/** A program that frees its buffers and waits until their memory has gone back. */
final class DelayProgram {
  private static final long MOST_NANOS = 60_000_000_000L;

  private DelayProgram() {}

  /** Prints whether it has, long before the five minutes of the default. */
  public static void main(String[] args) throws InterruptedException {
    ByteBuf buffer = ArenalByteBufAllocator.DEFAULT.directBuffer(8 << 20);
    PageAllocator pages = ArenalByteBufAllocator.DEFAULT.pages();
    System.out.println(pages.committedBytes() >= 8 << 20);
    System.out.println(buffer.release());
    long startNanos = System.nanoTime();
    while (pages.committedBytes() > 0 && System.nanoTime() - startNanos < MOST_NANOS) {
      Thread.sleep(10);
    }
    System.out.println(pages.committedBytes());
  }
}
