package dev.arenal.lab.roundtrip;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.result.Range;
import java.util.ArrayList;
import java.util.List;

/** Plans for buffers, by how much time there is. */
public final class BuffersPlan {
  private static final int SMALLEST_BYTES = 8; // a word is written
  private static final int LARGEST_BYTES = 4 << 20;
  private static final int MOST_THREADS = 64;

  /**
   * With more, a buffer of {@code Arena.ofShared()} takes milliseconds: its close asks each thread.
   */
  private static final int MOST_SHARED_THREADS = 2;

  private static final List<Integer> USUAL_SIZES_BYTES =
      List.of(64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20, LARGEST_BYTES);

  private static final List<Integer> FEW_SIZES_BYTES = List.of(256, 64 << 10);
  private static final List<Integer> ONE_SIZE_BYTES = List.of(256);
  private static final List<Integer> USUAL_THREADS = List.of(1, 2, 4, 16);
  private static final List<Integer> FEW_THREADS = List.of(1, 2);

  private BuffersPlan() {}

  /**
   * A part of a plan.
   *
   * @param threads the numbers of threads; none for those of the plan. More than one hand buffers
   *     over, too
   * @param sizesBytes the sizes; none for those of the plan
   */
  public record Part(List<Integer> threads, List<Long> sizesBytes) {
    /**
     * As a person asks for it.
     *
     * @throws IllegalArgumentException if it cannot be measured
     */
    public Part {
      for (int threadCount : threads) {
        Range.check("not a number of threads", "threadCount", threadCount, 1, MOST_THREADS);
      }
      for (long sizeBytes : sizesBytes) {
        Range.check(
            "not the size of a buffer", "sizeBytes", sizeBytes, SMALLEST_BYTES, LARGEST_BYTES);
      }
      threads = threads.stream().distinct().toList();
      sizesBytes = sizesBytes.stream().distinct().toList();
    }

    private List<Integer> threads(List<Integer> usual) {
      return threads.isEmpty() ? usual : threads;
    }

    private List<Integer> sizesBytes(List<Integer> usual) {
      return sizesBytes.isEmpty() ? usual : sizesBytes.stream().map(Long::intValue).toList();
    }
  }

  /** Few sizes on few threads, in about two minutes. */
  public static JmhPlan<BufferCell> quick(Choice<BufferAllocator> choice, Part part) {
    List<BufferCell> cells = new ArrayList<>();
    List<Integer> threads = part.threads(FEW_THREADS);
    add(cells, choice, false, threads, part.sizesBytes(FEW_SIZES_BYTES));
    add(cells, choice, true, threads, part.sizesBytes(ONE_SIZE_BYTES));
    return rough(cells, choice);
  }

  /**
   * Every size and number of threads: what the documents quote. Three rounds have 15 iterations of
   * each cell, of which two at each end do not count for the error.
   *
   * @param roundCount JVMs for each
   */
  public static JmhPlan<BufferCell> usual(
      Choice<BufferAllocator> choice, Part part, int roundCount) {
    List<BufferCell> cells = new ArrayList<>();
    List<Integer> threads = part.threads(USUAL_THREADS);
    List<Integer> sizesBytes = part.sizesBytes(USUAL_SIZES_BYTES);
    add(cells, choice, false, threads, sizesBytes);
    add(cells, choice, true, threads, sizesBytes);
    return new JmhPlan<>(roundCount, 0, 3, 100, 5, 100, cells, choice.notes());
  }

  /** A part of the lab: a rough figure of what programs do most. */
  public static JmhPlan<BufferCell> lab(boolean isQuick, Choice<BufferAllocator> choice) {
    List<BufferCell> cells = new ArrayList<>();
    List<Integer> threads = List.of(2);
    add(cells, choice, false, threads, isQuick ? ONE_SIZE_BYTES : FEW_SIZES_BYTES);
    if (!isQuick) {
      add(cells, choice, true, threads, ONE_SIZE_BYTES);
    }
    return rough(cells, choice);
  }

  /** Of twelve iterations, one at each end does not count for the error. */
  private static JmhPlan<BufferCell> rough(List<BufferCell> cells, Choice<BufferAllocator> choice) {
    return new JmhPlan<>(1, 0, 3, 150, 12, 30, cells, choice.notes());
  }

  /**
   * All sizes of an allocator, which share a JVM, then those of the next one: so what the machine
   * does beside hits all of them. One thread hands nothing over. Beside others the JDK's shared
   * arenas are measured with few threads only.
   */
  private static void add(
      List<BufferCell> cells,
      Choice<BufferAllocator> choice,
      boolean isHandedOver,
      List<Integer> threads,
      List<Integer> sizesBytes) {
    for (int threadCount : threads) {
      if (isHandedOver && threadCount == 1) {
        continue;
      }
      for (BufferAllocator allocator : choice.kinds()) {
        if (allocator == BufferAllocator.JDK_SHARED
            && threadCount > MOST_SHARED_THREADS
            && choice.kinds().size() > 1) {
          continue;
        }
        for (int sizeBytes : sizesBytes) {
          cells.add(new BufferCell(allocator, sizeBytes, threadCount, isHandedOver));
        }
      }
    }
  }
}
