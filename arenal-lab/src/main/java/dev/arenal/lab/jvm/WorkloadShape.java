package dev.arenal.lab.jvm;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How much the interleaved loaders load, and in which order.
 *
 * @param generationCount generations of loaders, released one by one
 * @param loaderCount class loaders per generation
 * @param classCount classes per loader
 * @param size fields and methods per class: 3 and 4 times this
 * @param interleave loader, class, or the fraction of its classes that a loader loads per turn
 * @param cycleCount how often the whole set is loaded
 * @param pauseMillis the rest after each phase
 */
public record WorkloadShape(
    @JsonProperty("generations") int generationCount,
    @JsonProperty("loaders") int loaderCount,
    @JsonProperty("classes") int classCount,
    int size,
    String interleave,
    @JsonProperty("cycles") int cycleCount,
    int pauseMillis) {

  private static final int MOST = 1_000_000;
  private static final int LARGEST_SIZE = 1_000;
  private static final int LONGEST_PAUSE_MILLIS = 60_000;
  private static final Pattern FRACTION = Pattern.compile("\\d*\\.?\\d+([eE]-?\\d+)?");

  private static final long KIB = 1024;

  /**
   * The least bytes of a class, and the bytes for each step of its size; rounded up from
   * measurements.
   */
  private static final long CLASS_BYTES = 1536;

  private static final long CLASS_BYTES_PER_SIZE = 976;

  /** Chunks that a loader begins and does not fill, and what the JVM keeps for it elsewhere. */
  private static final long LOADER_BYTES = 10 * KIB;

  private static final long HEAP_BASE_BYTES = 64 * KIB * KIB;
  private static final long HEAP_BYTES_PER_CLASS = KIB;
  private static final long HEAP_BYTES_PER_LOADER = KIB;
  private static final long HEAP_STEP_BYTES = 16 * KIB * KIB;

  /**
   * The default shape. Three classes per turn: enough neighbours of one loader for an elastic
   * metaspace to give something back, and few enough to keep several times what is used.
   */
  public static final WorkloadShape DEFAULT = new WorkloadShape(5, 230, 35, 10, "0.1", 2, 200);

  /** The same story in less time: one cycle, and half the loaders. */
  public static final WorkloadShape QUICK = new WorkloadShape(5, 115, 35, 10, "0.1", 1, 100);

  /** Refuses what the workload would refuse, before any JVM is started. */
  public WorkloadShape {
    // With one generation there is no valley: nothing would be left when it goes.
    checkRange("generations", generationCount, 2, MOST);
    checkRange("loaders", loaderCount, 1, MOST);
    checkRange("classes", classCount, 1, MOST);
    checkRange("size", size, 1, LARGEST_SIZE);
    checkRange("cycles", cycleCount, 1, MOST);
    checkRange("pause", pauseMillis, 0, LONGEST_PAUSE_MILLIS);
    boolean isWord = interleave.equals("loader") || interleave.equals("class");
    if (!isWord && !isFraction(interleave)) {
      throw new IllegalArgumentException(
          ("option out of range: option=--interleave, value=%s (expected loader, class or a"
                  + " fraction, 0 < f <= 1)")
              .formatted(interleave));
    }
  }

  private static void checkRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "option out of range: option=--%s, value=%d (expected a whole number, %d..%d)"
              .formatted(option, value, least, most));
    }
  }

  private static boolean isFraction(String text) {
    if (!FRACTION.matcher(text).matches()) {
      return false;
    }
    double fraction = Double.parseDouble(text);
    return fraction > 0 && fraction <= 1;
  }

  /** The options of the workload. */
  List<String> arguments() {
    List<String> words =
        List.of(
            "--events",
            "--generations",
            String.valueOf(generationCount),
            "--loaders",
            String.valueOf(loaderCount),
            "--classes",
            String.valueOf(classCount),
            "--size",
            String.valueOf(size),
            "--interleave",
            interleave,
            "--cycles",
            String.valueOf(cycleCount));
    return pauseMillis == 0
        ? words
        : Stream.concat(words.stream(), Stream.of("--pause", String.valueOf(pauseMillis))).toList();
  }

  /** The shape in words. */
  public String description() {
    return String.format(
        Locale.ROOT,
        "%d generations of %,d loaders with %,d classes of size %d each, %s per turn; %s",
        generationCount,
        loaderCount,
        classCount,
        size,
        perTurn(),
        cycleCount == 1 ? "loaded once" : "loaded " + cycleCount + " times");
  }

  private String perTurn() {
    if (interleave.equals("loader")) {
      return "all its classes";
    }
    int count =
        interleave.equals("class")
            ? 1
            : Math.max(1, (int) (classCount * Double.parseDouble(interleave)));
    return count == 1 ? "one class" : count + " classes";
  }

  /** Where all generations but one are gone for the first time. */
  public static String valleyLabel() {
    return "cycle 1: generations left: 1";
  }

  /** From the second cycle on the last generation of the one before is alive too. */
  private long liveLoaderCount() {
    return Math.multiplyExact((long) generationCount + (cycleCount > 1 ? 1 : 0), loaderCount);
  }

  private long liveClassCount() {
    return Math.multiplyExact(liveLoaderCount(), classCount);
  }

  /** An upper bound of metaspace, and of the memory that goes with it, when most is loaded. */
  long metaspaceBytes() {
    try {
      long classes =
          Math.multiplyExact(liveClassCount(), CLASS_BYTES + size * CLASS_BYTES_PER_SIZE);
      return Math.addExact(classes, Math.multiplyExact(liveLoaderCount(), LOADER_BYTES));
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /** A heap that holds the loaders and the mirrors of their classes, in round figures. */
  long heapBytes() {
    try {
      long bytes =
          HEAP_BASE_BYTES
              + Math.multiplyExact(liveClassCount(), HEAP_BYTES_PER_CLASS)
              + Math.multiplyExact(liveLoaderCount(), HEAP_BYTES_PER_LOADER);
      return Math.ceilDiv(bytes, HEAP_STEP_BYTES) * HEAP_STEP_BYTES;
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE / 2;
    }
  }
}
