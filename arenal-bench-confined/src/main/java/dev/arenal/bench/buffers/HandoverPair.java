package dev.arenal.bench.buffers;

import java.util.Queue;
import java.util.function.Consumer;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * The part of a thread in a ring in which each hands its buffers to the next: the queue it frees
 * from and the queue it puts its own in.
 */
@State(Scope.Thread)
public class HandoverPair {
  /** On more threads than cores a neighbour may not run for a while. */
  private static final int SLOT_COUNT = 16;

  private Queue<Object> incoming = new SpscAtomicArrayQueue<>(SLOT_COUNT);
  private Queue<Object> outgoing = incoming;

  /** All queues of a ring. */
  @State(Scope.Benchmark)
  public static class Ring {
    private Queue<Object>[] queues = newArray(0);

    /** One for each thread. */
    @Setup(Level.Trial)
    public void open(BenchmarkParams params) {
      queues = newArray(params.getThreads());
      for (int i = 0; i < queues.length; i++) {
        queues[i] = new SpscAtomicArrayQueue<>(SLOT_COUNT);
      }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type parameters
    private static Queue<Object>[] newArray(int count) {
      return new Queue[count];
    }
  }

  /** Takes the place in the ring. */
  @Setup(Level.Trial)
  public void enter(Ring ring, ThreadParams thread) {
    int index = thread.getThreadIndex();
    incoming = ring.queues[index];
    outgoing = ring.queues[(index + 1) % ring.queues.length];
  }

  /**
   * Hands a buffer over, and frees all that have come. While the neighbour's queue is full it goes
   * on freeing, since the one before may be waiting as well; when the iteration is over meanwhile,
   * no thread may come to take it, and it is freed here.
   */
  @SuppressWarnings("ThreadPriorityCheck") // the neighbour shares the core
  void exchange(Object mine, Consumer<Object> freeing, Control control) {
    boolean isGone = outgoing.offer(mine);
    free(freeing);
    while (!isGone) {
      if (control.stopMeasurement) {
        freeing.accept(mine);
        return;
      }
      Thread.yield();
      isGone = outgoing.offer(mine);
      free(freeing);
    }
  }

  /** Frees what is left when all threads have stopped: the next size is measured in this JVM. */
  @TearDown(Level.Trial)
  public void leave() {
    free(BuffersHandedOver::free);
  }

  private void free(Consumer<Object> freeing) {
    for (Object theirs = incoming.poll(); theirs != null; theirs = incoming.poll()) {
      freeing.accept(theirs);
    }
  }
}
