package dev.arenal.lab;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.replay.AllocatorKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The allocators of a replay, and what a reader has to know about the choice.
 *
 * @param kinds the allocators, in the order of the results
 * @param notes what is left out and why, and settings that are not the allocators' own; whole lines
 */
record AllocatorChoice(List<AllocatorKind> kinds, List<String> notes) {
  /** Second forms of ours, of which the command for one trace shows more. */
  private static final Set<AllocatorKind> NOT_IN_LAB =
      EnumSet.of(AllocatorKind.ELASTIC_64K, AllocatorKind.ELASTIC_16K);

  /** What says little when time is short. */
  private static final Set<AllocatorKind> NOT_QUICK =
      EnumSet.of(
          AllocatorKind.ELASTIC_64K,
          AllocatorKind.ELASTIC_16K,
          AllocatorKind.ELASTIC_OWNER,
          AllocatorKind.JDK_SHARED);

  AllocatorChoice {
    kinds = List.copyOf(kinds);
    notes = List.copyOf(notes);
  }

  /** All that this machine has. */
  static AllocatorChoice all(HeapLibraries libraries) throws IOException {
    return installed(libraries, List.of(AllocatorKind.values()), List.of());
  }

  /** The same without those that have no place in a survey. */
  static AllocatorChoice lab(HeapLibraries libraries) throws IOException {
    return without(libraries, NOT_IN_LAB, "not shown here, but by arenal replay: ");
  }

  /** The same without those that say little. */
  static AllocatorChoice quick(HeapLibraries libraries) throws IOException {
    return without(libraries, NOT_QUICK, "left out with --quick: ");
  }

  private static AllocatorChoice without(
      HeapLibraries libraries, Set<AllocatorKind> leftOut, String remark) throws IOException {
    List<AllocatorKind> kinds = new ArrayList<>(List.of(AllocatorKind.values()));
    kinds.removeAll(leftOut);
    String names = String.join(", ", leftOut.stream().map(AllocatorKind::label).toList());
    return installed(libraries, kinds, List.of(remark + names));
  }

  /**
   * Those named.
   *
   * @throws IllegalArgumentException if there is no such allocator
   * @throws IOException if one of them is not installed here
   */
  static AllocatorChoice named(HeapLibraries libraries, List<String> names) throws IOException {
    Set<AllocatorKind> kinds = new LinkedHashSet<>();
    for (String name : names) {
      kinds.add(AllocatorKind.ofLabel(name.strip()));
    }
    for (AllocatorKind kind : kinds) {
      if (kind.isLibrary()) {
        var _ = libraries.require(kind);
      }
    }
    return new AllocatorChoice(List.copyOf(kinds), libraries.settings(kinds));
  }

  private static AllocatorChoice installed(
      HeapLibraries libraries, List<AllocatorKind> kinds, List<String> firstNotes)
      throws IOException {
    List<AllocatorKind> installed = libraries.installed(kinds);
    List<String> notes = new ArrayList<>(firstNotes);
    notes.addAll(libraries.leftOut(kinds));
    notes.addAll(libraries.settings(installed));
    return new AllocatorChoice(installed, notes);
  }
}
