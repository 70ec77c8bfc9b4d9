package dev.arenal.lab.heap;

import dev.arenal.lab.result.Labelled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The allocators of an experiment, and what a reader has to know about the choice.
 *
 * @param <U> the kind of allocators
 * @param kinds the allocators, in the order of the results
 * @param notes what is left out and why, and settings that are not the allocators' own; whole lines
 */
public record Choice<U extends HeapUser>(List<U> kinds, List<String> notes) {
  /** Keeps copies. */
  public Choice {
    kinds = List.copyOf(kinds);
    notes = List.copyOf(notes);
  }

  /**
   * Those that are installed.
   *
   * @param remarks what is to be known before anything else
   */
  public static <U extends HeapUser> Choice<U> installed(
      HeapLibraries libraries, List<U> kinds, List<String> remarks) throws IOException {
    List<U> installed = libraries.installed(kinds);
    List<String> notes = new ArrayList<>(remarks);
    notes.addAll(libraries.leftOut(kinds));
    notes.addAll(libraries.settings(installed));
    return new Choice<>(installed, notes);
  }

  /**
   * Those that are installed, without some.
   *
   * @param leftOut some of them
   * @param remark what is said before the names of those
   */
  public static <U extends HeapUser> Choice<U> without(
      HeapLibraries libraries, List<U> kinds, List<U> leftOut, String remark) throws IOException {
    return installed(
        libraries,
        kinds.stream().filter(kind -> !leftOut.contains(kind)).toList(),
        leftOut.isEmpty() ? List.of() : List.of(remark + Labelled.labels(leftOut)));
  }

  /**
   * Those named.
   *
   * @param all those that could be
   * @throws IllegalArgumentException if there is no such allocator
   * @throws IOException if one of them is not installed here
   */
  public static <U extends HeapUser> Choice<U> named(
      HeapLibraries libraries, List<U> all, List<String> names) throws IOException {
    Set<U> kinds = new LinkedHashSet<>();
    for (String name : names) {
      kinds.add(Labelled.named("allocator", all, name.strip()));
    }
    for (U kind : kinds) {
      libraries.check(kind);
    }
    return new Choice<>(List.copyOf(kinds), libraries.settings(kinds));
  }
}
