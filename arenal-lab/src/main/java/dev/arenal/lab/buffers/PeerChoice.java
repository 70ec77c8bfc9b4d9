package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapLibraries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The allocators of an experiment, and what a reader has to know about the choice.
 *
 * @param kinds the allocators, in the order of the results
 * @param notes what is left out and why, and settings that are not the allocators' own; whole lines
 */
public record PeerChoice(List<PeerKind> kinds, List<String> notes) {
  /** Keeps copies. */
  public PeerChoice {
    kinds = List.copyOf(kinds);
    notes = List.copyOf(notes);
  }

  /** All that are usually compared and that this machine has. */
  public static PeerChoice all(HeapLibraries libraries) throws IOException {
    List<PeerKind> installed = libraries.installed(PeerKind.usual());
    List<String> notes = new ArrayList<>(libraries.leftOut(PeerKind.usual()));
    notes.addAll(libraries.settings(installed));
    return new PeerChoice(installed, notes);
  }

  /**
   * Those named.
   *
   * @throws IllegalArgumentException if there is no such allocator
   * @throws IOException if one of them is not installed here
   */
  public static PeerChoice named(HeapLibraries libraries, List<String> names) throws IOException {
    Set<PeerKind> kinds = new LinkedHashSet<>();
    for (String name : names) {
      kinds.add(PeerKind.ofLabel(name.strip()));
    }
    for (PeerKind kind : kinds) {
      if (kind.isLibrary()) {
        var _ = libraries.require(kind);
      }
    }
    return new PeerChoice(List.copyOf(kinds), libraries.settings(kinds));
  }
}
