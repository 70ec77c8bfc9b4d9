package dev.arenal.lab.roundtrip;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.jmh.JmhPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Plans for buffers, by how much time there is; always with all that is installed. */
public final class BuffersPlan {
  private static final int[] USUAL_SIZES_BYTES = {
    64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20
  };

  private static final int[] FEW_SIZES_BYTES = {256, 64 << 10};
  private static final int[] ONE_SIZE_BYTES = {256};

  private BuffersPlan() {}

  /** All allocators that a machine has. */
  public static Choice<BufferAllocator> choice(HeapLibraries libraries) throws IOException {
    return Choice.installed(libraries, List.of(BufferAllocator.values()), List.of());
  }

  /** Few sizes on few threads, in about three minutes. */
  public static JmhPlan<BufferCell> quick(Choice<BufferAllocator> choice) {
    List<BufferCell> cells = new ArrayList<>();
    add(cells, choice, false, new int[] {1, 2}, FEW_SIZES_BYTES);
    add(cells, choice, true, new int[] {2}, ONE_SIZE_BYTES);
    return rough(cells, choice);
  }

  /**
   * Every size and number of threads: what the documents quote. Where threads outnumber processors
   * the compiler gets one as seldom as each of them, so the warm-up takes a second.
   *
   * @param countRounds forks of each
   */
  public static JmhPlan<BufferCell> usual(Choice<BufferAllocator> choice, int countRounds) {
    List<BufferCell> cells = new ArrayList<>();
    add(cells, choice, false, new int[] {1, 2, 16}, USUAL_SIZES_BYTES);
    add(cells, choice, true, new int[] {2, 16}, USUAL_SIZES_BYTES);
    return new JmhPlan<>(countRounds, 0, 3, 350, 3, 200, cells, choice.notes());
  }

  /** A part of the lab: a rough figure of what programs do most. */
  public static JmhPlan<BufferCell> lab(boolean isQuick, Choice<BufferAllocator> choice) {
    List<BufferCell> cells = new ArrayList<>();
    int[] threads = {2};
    add(cells, choice, false, threads, isQuick ? ONE_SIZE_BYTES : FEW_SIZES_BYTES);
    if (!isQuick) {
      add(cells, choice, true, threads, ONE_SIZE_BYTES);
    }
    return rough(cells, choice);
  }

  /** One fork has so few iterations that a fourth and a fifth say more than longer ones. */
  private static JmhPlan<BufferCell> rough(List<BufferCell> cells, Choice<BufferAllocator> choice) {
    return new JmhPlan<>(1, 0, 3, 150, 5, 50, cells, choice.notes());
  }

  /** Contenders beside each other, so that what the machine does beside hits all of them. */
  private static void add(
      List<BufferCell> cells,
      Choice<BufferAllocator> choice,
      boolean isHandedOver,
      int[] threads,
      int[] sizesBytes) {
    for (int countThreads : threads) {
      for (int sizeBytes : sizesBytes) {
        for (BufferAllocator allocator : choice.kinds()) {
          cells.add(new BufferCell(allocator, sizeBytes, countThreads, isHandedOver));
        }
      }
    }
  }
}
