package dev.arenal.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.machine.ChildJvm;
import dev.arenal.machine.FullHeap;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A wait that is interrupted on a full Java heap ends by an {@link OutOfMemoryError}, since there
 * is no room for the exception.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullHeapPretouchTest {
  @Test
  void interruptOnAFullHeap_cancelsIt_andNoThreadGoesOn() throws Exception {
    // Without buffers of threads, in which the caller might have room for the exception.
    List<String> flags = List.of("-Xmx24m", "-XX:-UseTLAB", "--enable-native-access=ALL-UNNAMED");
    ChildJvm child = ChildJvm.run(flags, Program.class);
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().strip())
        .isEqualTo(
            "java.util.concurrent.CancellationException, isInterrupted=true, isAlive=false,"
                + " committedBytes=0");
  }

  /** One thread touches, fills the Java heap and interrupts the caller, which waits for it. */
  static final class Program {
    private static final long SIZE_BYTES = 64 << 20;
    private static final long MOST_NANOS = 1_000_000_000;

    private static final Thread CALLER = Thread.currentThread();
    private static volatile @Nullable Thread toucher;
    private static volatile boolean isOver;

    /** A machine of two nodes: the threads of a pretouch are bound, and the caller only waits. */
    private record TwoNodes(OperatingSystem kernel) implements OperatingSystem {
      @Override
      public int nodeCount() {
        return 2;
      }

      @Override
      public BitSet processorsOfNode(int node) {
        return BitSet.valueOf(new long[] {1});
      }
    }

    public static void main(String[] arguments) {
      Budget budget = Budget.unlimited("b");
      TwoNodes os = new TwoNodes(OperatingSystem.current());
      try (ReservedMemory memory = ReservedMemory.reserve(os, "full", SIZE_BYTES, budget)) {
        Pretouch settings = Pretouch.all().onNode(1).threads(1).forced();
        var _ = memory.pretouch(settings); // so that all classes are there
        var _ = memory.uncommit(0, SIZE_BYTES);
        Throwable outcome = null;
        try {
          var _ = memory.pretouch(settings.cancelWhen(Program::interruptOnce));
        } catch (Throwable e) {
          outcome = e;
        }
        Thread touching = requireNonNull(toucher);
        boolean isAlive = touching.isAlive(); // nothing is created until the heap has room
        boolean isInterrupted = Thread.interrupted();
        isOver = true;
        while (touching.isAlive()) {
          Thread.onSpinWait();
        }
        System.out.println(
            (outcome == null ? "none" : outcome.getClass().getName())
                + ", isInterrupted="
                + isInterrupted
                + ", isAlive="
                + isAlive
                + ", committedBytes="
                + budget.committedBytes());
      }
    }

    private static boolean interruptOnce() {
      if (toucher == null) {
        toucher = Thread.currentThread();
        List<byte[]> blocks = FullHeap.take();
        CALLER.interrupt();
        long startNanos = System.nanoTime();
        while (!isOver && System.nanoTime() - startNanos < MOST_NANOS) {
          Thread.onSpinWait();
        }
        blocks.clear();
      }
      return false;
    }
  }
}
