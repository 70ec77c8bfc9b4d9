package dev.arenal.workload;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command line of {@link InterleavedLoaders}, checked. */
final class Options {
  static final String USAGE =
      String.join(
          System.lineSeparator(),
          "Usage: java -jar arenal-workload.jar [options]",
          "Loads generations of classes, interleaved between their loaders, and releases them"
              + " again.",
          "",
          "  --generations N   generations of loaders, released one by one (default 5)",
          "  --loaders N       class loaders per generation (default 80)",
          "  --classes N       classes per loader (default 100)",
          "  --size N          fields and methods per class: 3 and 4 times N (default 10)",
          "  --interleave HOW  loader: each loader loads all its classes in its turn (default)",
          "                    class: one class per turn; or a fraction of the classes, 0 < f <= 1",
          "  --cycles N        how often the whole set is loaded (default 2)",
          "  --pause MILLIS    rests so long after each phase (default 0)",
          "  --events          prints lines for a program to read instead of a table",
          "  --help            shows this text",
          "",
          "A modest heap is enough: -XX:+UseSerialGC -Xmx512m");

  private static final int MAX_COUNT = 1_000_000;

  /** A class may have 65,535 methods; this stays well below, and a constant pool too. */
  private static final int MAX_SIZE = 1_000;

  private static final int MAX_PAUSE_MILLIS = 60_000;

  private int generationCount = 5;
  private int loaderCount = 80;
  private int classCount = 100;
  private int size = 10;
  private int cycleCount = 2;

  /** The fraction of its classes that a loader loads in its turn, which is one class at least. */
  private double interleave = 1.0;

  private int pauseMillis;
  private boolean isForProgram;
  private boolean isHelp;

  private Options() {}

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if it cannot be followed; the message is for the user
   */
  static Options parse(String... args) {
    Options options = new Options();
    Iterator<String> words = List.of(args).iterator();
    while (words.hasNext()) {
      String name = words.next();
      if (name.equals("--help")) {
        options.isHelp = true;
        return options;
      }
      if (name.equals("--events")) {
        options.isForProgram = true;
        continue;
      }
      options.set(name, words.hasNext() ? words.next() : null);
    }
    return options;
  }

  private void set(String name, @Nullable String value) {
    switch (name) {
      case "--generations":
        generationCount = count(name, value, MAX_COUNT);
        break;
      case "--loaders":
        loaderCount = count(name, value, MAX_COUNT);
        break;
      case "--classes":
        classCount = count(name, value, MAX_COUNT);
        break;
      case "--size":
        size = count(name, value, MAX_SIZE);
        break;
      case "--cycles":
        cycleCount = count(name, value, MAX_COUNT);
        break;
      case "--pause":
        pauseMillis = count(name, value, MAX_PAUSE_MILLIS);
        break;
      case "--interleave":
        interleave = fraction(present(name, value));
        break;
      default:
        throw new IllegalArgumentException("unknown option: option=" + name + " (see --help)");
    }
  }

  private static double fraction(String value) {
    if (value.equals("loader") || value.equals("class")) {
      return value.equals("loader") ? 1 : 0;
    }
    String problem =
        "option out of range: option=--interleave, value="
            + value
            + " (expected loader, class or a fraction, 0 < f <= 1)";
    try {
      double fraction = Double.parseDouble(value);
      if (fraction > 0 && fraction <= 1) {
        return fraction;
      }
    } catch (NumberFormatException e) {
      // the same problem
    }
    throw new IllegalArgumentException(problem);
  }

  private static int count(String name, @Nullable String value, int max) {
    String text = present(name, value);
    String problem =
        "option out of range: option="
            + name
            + ", value="
            + text
            + " (expected a whole number, 1.."
            + max
            + ")";
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= max) {
        return count;
      }
    } catch (NumberFormatException e) {
      // the same problem
    }
    throw new IllegalArgumentException(problem);
  }

  private static String present(String name, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "option without its value: option=" + name + " (see --help)");
    }
    return value;
  }

  int generationCount() {
    return generationCount;
  }

  int loaderCount() {
    return loaderCount;
  }

  int classCount() {
    return classCount;
  }

  int size() {
    return size;
  }

  int cycleCount() {
    return cycleCount;
  }

  /** How long it rests after each phase. */
  int pauseMillis() {
    return pauseMillis;
  }

  /** Whether a program reads the output. */
  boolean isForProgram() {
    return isForProgram;
  }

  boolean isHelp() {
    return isHelp;
  }

  /** How many classes a loader loads before it is the next one's turn. */
  int classesPerTurn() {
    return Math.max(1, (int) (classCount * interleave));
  }
}
