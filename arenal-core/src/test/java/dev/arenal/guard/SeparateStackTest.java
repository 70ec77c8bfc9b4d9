package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.machine.ChildJvm;
import dev.arenal.machine.FullHeap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The wait for the other thread, where the Java heap has no room for an exception. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SeparateStackTest {
  @Test
  void interruptOnAFullHeap_isKept_andTheOtherThreadIsAwaited() throws Exception {
    // Without buffers of threads, in which the caller might have room for the exception.
    ChildJvm child = ChildJvm.run(List.of("-Xmx24m", "-XX:-UseTLAB"), Program.class);
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().strip()).isEqualTo("isInterrupted=true, hasRun=true");
  }

  /** The task of the other thread fills the Java heap while the caller waits for its end. */
  static final class Program implements Runnable {
    private static final long WAIT_NANOS = 300_000_000;

    private static volatile boolean hasRun;

    private final Thread caller = Thread.currentThread();
    private final boolean isFirst;

    private Program(boolean isFirst) {
      this.isFirst = isFirst;
    }

    public static void main(String[] arguments) {
      SeparateStack.run(new Program(true)); // so that all of it is linked
      boolean _ = Thread.interrupted();
      hasRun = false;
      boolean isDone = false;
      try {
        SeparateStack.run(new Program(false));
        isDone = hasRun;
      } catch (OutOfMemoryError e) {
        isDone = false;
      }
      boolean isInterrupted = Thread.interrupted();
      while (!hasRun) {
        Thread.onSpinWait();
      }
      System.out.println("isInterrupted=" + isInterrupted + ", hasRun=" + isDone);
    }

    @Override
    public void run() {
      List<byte[]> blocks = isFirst ? new ArrayList<>() : FullHeap.take();
      caller.interrupt();
      long startNanos = System.nanoTime();
      while (System.nanoTime() - startNanos < WAIT_NANOS) {
        Thread.onSpinWait();
      }
      blocks.clear();
      hasRun = true;
    }
  }
}
