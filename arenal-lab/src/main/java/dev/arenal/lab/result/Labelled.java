package dev.arenal.lab.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** A constant with a name on the command line and in results: its own, in small letters. */
public interface Labelled {
  /** That name. */
  @JsonValue
  default String label() {
    return ((Enum<?>) this).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The one of that name.
   *
   * @param what what it is, for the error
   * @throws IllegalArgumentException if there is none
   */
  static <L extends Labelled> L named(String what, Collection<L> all, String name) {
    for (L each : all) {
      if (each.label().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "unknown %s: name=%s (expected one of %s)".formatted(what, name, labels(all)));
  }

  /** Names, with commas between them. */
  static String labels(Collection<? extends Labelled> all) {
    List<String> names = all.stream().map(Labelled::label).toList();
    return String.join(", ", names);
  }
}
