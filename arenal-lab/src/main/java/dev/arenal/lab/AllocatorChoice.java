package dev.arenal.lab;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.replay.AllocatorKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which allocators a trace is replayed with. */
final class AllocatorChoice {
  /** Second forms of ours, of which the command for one trace shows more. */
  private static final Set<AllocatorKind> NOT_IN_LAB =
      EnumSet.of(AllocatorKind.ELASTIC_64K, AllocatorKind.ELASTIC_16K);

  /** Allocators that say little when time is short. */
  private static final Set<AllocatorKind> NOT_QUICK =
      EnumSet.of(
          AllocatorKind.ELASTIC_64K,
          AllocatorKind.ELASTIC_16K,
          AllocatorKind.ELASTIC_KEPT,
          AllocatorKind.ELASTIC_OWNER,
          AllocatorKind.JDK_SHARED);

  private static final List<AllocatorKind> ALL = List.of(AllocatorKind.values());

  private AllocatorChoice() {}

  /** All that this machine has. */
  static Choice<AllocatorKind> all(HeapLibraries libraries) throws IOException {
    return Choice.installed(libraries, ALL, List.of());
  }

  /** The same without those that have no place in a survey. */
  static Choice<AllocatorKind> lab(HeapLibraries libraries) throws IOException {
    return without(libraries, NOT_IN_LAB, "not shown here, but by arenal replay: ");
  }

  /** The same without those that say little. */
  static Choice<AllocatorKind> quick(HeapLibraries libraries) throws IOException {
    return without(libraries, NOT_QUICK, "left out with --quick: ");
  }

  private static Choice<AllocatorKind> without(
      HeapLibraries libraries, Set<AllocatorKind> leftOut, String remark) throws IOException {
    List<AllocatorKind> kinds = new ArrayList<>(ALL);
    kinds.removeAll(leftOut);
    String names = String.join(", ", leftOut.stream().map(AllocatorKind::label).toList());
    return Choice.installed(libraries, kinds, List.of(remark + names));
  }

  /** Those named. */
  static Choice<AllocatorKind> named(HeapLibraries libraries, List<String> names)
      throws IOException {
    return Choice.named(libraries, ALL, names);
  }
}
