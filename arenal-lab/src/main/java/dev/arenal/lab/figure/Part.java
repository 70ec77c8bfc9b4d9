package dev.arenal.lab.figure;

import java.util.List;
import java.util.Locale;

/**
 * A part of what is shown of a result, by what it is and not by how it looks: on a terminal, in the
 * page and in documents it looks as is usual there.
 */
public sealed interface Part permits BarChart, ColumnChart, LineChart, Table, Part.Words {

  /** A part that is made of words. */
  sealed interface Words extends Part {}

  /**
   * The subject of the measurement, in one phrase.
   *
   * @param name of the experiment, or of one part of it, to stand before the phrase where there is
   *     no heading
   */
  record Facts(String name, String phrase) implements Words {
    String sentence() {
      return phrase.substring(0, 1).toUpperCase(Locale.ROOT) + phrase.substring(1) + ".";
    }
  }

  /** How to read what stands beside it; not for a terminal, where people ask for help instead. */
  record Explanation(String text) implements Words {}

  /** Explains the part above it. */
  record Note(String text) implements Words {}

  /** Explains columns and methods; not for a terminal. */
  record SmallPrint(String text) implements Words {}

  /** Heads what stands below it. */
  record Heading(String text) implements Words {}

  /**
   * Text as a program printed it.
   *
   * @param subtitle a few more words behind its title; may be empty
   */
  record Listing(String title, String subtitle, String text) implements Words {}

  /**
   * A text of the page that is the same in every report.
   *
   * @param resource its name
   */
  record Method(String resource) implements Words {}

  /**
   * Parts that belong together.
   *
   * @param id where links lead, or empty
   * @param title of what can be folded; of others empty
   */
  record Group(Layout layout, String id, String title, List<? extends Part> parts)
      implements Words {
    /** Keeps a copy. */
    public Group {
      parts = List.copyOf(parts);
    }
  }

  /** Links to groups, by their ids. */
  record Links(String title, List<String> ids, List<String> names) implements Words {}

  /** How the parts of a group stand in the page. */
  enum Layout {
    /** One below the other, apart from other groups. */
    APART,
    /** As many beside each other as there is room for. */
    GRID,
    /** A large one, and a small one beside it. */
    OVERVIEW,
    /** A grid that can be folded; only in the page. */
    DETAILS,
    /** The same, folded at first. */
    MORE_DETAILS,
    /** Folded in the page at first, and whole on a terminal. */
    FOLDED;

    String cssClass() {
      return switch (this) {
        case APART -> "trace";
        case GRID -> "grid";
        case OVERVIEW -> "overview";
        case DETAILS, MORE_DETAILS, FOLDED -> "reports";
      };
    }

    boolean isForPageOnly() {
      return this == DETAILS || this == MORE_DETAILS;
    }
  }
}
