package dev.arenal.lab.pretouch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.result.Range;
import dev.arenal.memory.AvailableMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes, subjects and runs of the measurement.
 *
 * @param sizesBytes smallest first
 * @param jvms those to be started
 * @param threadCount what all threads are, for Arenal and the kernel
 * @param runCount of each subject that a claim is about, and three times as many with huge pages
 * @param otherRunCount of each other one; 0 leaves them out
 */
@JsonIgnoreProperties(value = "jvms", allowSetters = true)
public record PretouchPlan(
    List<Long> sizesBytes,
    List<JvmSpec> jvms,
    @JsonProperty("threads") int threadCount,
    @JsonProperty("runs") int runCount,
    @JsonProperty("otherRuns") int otherRunCount) {
  public static final long MIB = 1 << 20;
  public static final long GIB = 1 << 30;
  public static final int USUAL_RUNS = 5;
  public static final int QUICK_RUNS = 3;

  /** The sizes of {@code ./arenal pretouch} by default. */
  public static final List<Long> USUAL_SIZES = List.of(GIB, 4 * GIB);

  static final long LEAST_BYTES = 64 * MIB;
  static final int MOST_THREADS = 1024;
  static final int MOST_RUNS = 100;

  /**
   * A start with huge pages adds a tenth of a second, of which the jitter of a JVM's start is a
   * large part: medians of five runs may come out in either order.
   */
  private static final int RUNS_WITH_HUGE_PAGES = 3;

  /** Sizes for the lab, the first that fits. */
  private static final List<Long> LAB_SIZES = List.of(GIB, GIB / 2, GIB / 4);

  /** A JVM has tables beside its heap that grow with it, and code and stacks that do not. */
  private static final int HEAP_BYTES_PER_TABLE_BYTE = 8;

  private static final long PROCESS_BYTES = 512 * MIB;
  private static final long HUGE_PAGE_BYTES = 2 * MIB;

  /** Checks what a person may have got wrong. */
  public PretouchPlan {
    sizesBytes = sizesBytes.stream().sorted().distinct().toList();
    jvms = List.copyOf(jvms);
    for (long sizeBytes : sizesBytes) {
      if (sizeBytes < LEAST_BYTES || sizeBytes % HUGE_PAGE_BYTES != 0) {
        throw new IllegalArgumentException(
            "size cannot be measured: sizeBytes=%d (expected a multiple of %d, at least %d)"
                .formatted(sizeBytes, HUGE_PAGE_BYTES, LEAST_BYTES));
      }
    }
    Range.check("cannot touch with that many threads", "threads", threadCount, 1, MOST_THREADS);
    Range.check("cannot run that often", "runs", runCount, 1, MOST_RUNS);
  }

  /** The part of it that {@code ./arenal lab} has time for, with the newest of these JVMs. */
  public static PretouchPlan lab(boolean isQuick, List<JvmSpec> jvms) {
    long availableBytes = AvailableMemory.now().bytes();
    List<Long> sizes =
        LAB_SIZES.stream().filter(size -> needBytes(size) <= availableBytes).limit(1).toList();
    return new PretouchPlan(
        sizes.isEmpty() ? List.of(LAB_SIZES.getLast()) : sizes,
        jvms,
        Runtime.getRuntime().availableProcessors(),
        isQuick ? 2 : QUICK_RUNS,
        isQuick ? 0 : 1);
  }

  /** The same for these JVMs. */
  public PretouchPlan with(List<JvmSpec> others) {
    return new PretouchPlan(sizesBytes, others, threadCount, runCount, otherRunCount);
  }

  /** The bytes that must be available for a size, so that no process is in danger. */
  public static long needBytes(long sizeBytes) {
    return sizeBytes + sizeBytes / HEAP_BYTES_PER_TABLE_BYTE + PROCESS_BYTES;
  }

  /** The bytes that another process touches before: half of the rest of a process included. */
  static long warmUpBytes(long sizeBytes) {
    long bytes = sizeBytes + sizeBytes / HEAP_BYTES_PER_TABLE_BYTE + PROCESS_BYTES / 2;
    return bytes & -HUGE_PAGE_BYTES;
  }

  /** Those sizes that this much memory is enough for. */
  public List<Long> fitting(long availableBytes) {
    return sizesBytes.stream().filter(size -> needBytes(size) <= availableBytes).toList();
  }

  /** A line for each size that it is not enough for. */
  public List<String> leftOut(long availableBytes) {
    return sizesBytes.stream()
        .filter(size -> needBytes(size) > availableBytes)
        .map(size -> doesNotFit(size, availableBytes))
        .toList();
  }

  static String doesNotFit(long sizeBytes, long availableBytes) {
    return "%s is left out: it does not fit: neededBytes=%d, availableBytes=%d"
        .formatted(sizeText(sizeBytes), needBytes(sizeBytes), availableBytes);
  }

  /** A size in words. */
  public static String sizeText(long sizeBytes) {
    return sizeBytes % GIB == 0
        ? sizeBytes / GIB + " GiB"
        : sizeBytes % MIB == 0 && sizeBytes < GIB
            ? sizeBytes / MIB + " MiB"
            : Figures.format("%.1f GiB", (double) sizeBytes / GIB);
  }

  /** All subjects of these JVMs, in the order of the tables. */
  List<PretouchSubject> subjects() {
    List<PretouchSubject> all = new ArrayList<>();
    for (JvmSpec jvm : jvms) {
      for (Collector collector : Collector.values()) {
        for (boolean hugePages : new boolean[] {false, true}) {
          all.add(PretouchSubject.jvm(jvm.label(), collector, false, hugePages));
          all.add(PretouchSubject.jvm(jvm.label(), collector, true, hugePages));
        }
      }
    }
    List<Integer> threads = threadCount == 1 ? List.of(1) : List.of(1, threadCount);
    for (int count : threads) {
      all.add(PretouchSubject.arenal(Method.TOUCH, false, count));
      all.add(PretouchSubject.arenal(Method.POPULATE, false, count));
      all.add(PretouchSubject.arenal(Method.POPULATE, true, count));
    }
    for (int count : threads) {
      all.add(PretouchSubject.kernel(Method.POPULATE, false, count));
      all.add(PretouchSubject.kernel(Method.POPULATE, true, count));
      all.add(PretouchSubject.kernel(Method.CLEAR, false, count));
    }
    return all.stream().filter(subject -> runs(subject) > 0).toList();
  }

  /** How often a subject runs. */
  int runs(PretouchSubject subject) {
    if (!isClaimed(subject)) {
      return otherRunCount;
    }
    return subject.hugePages() ? hugeRunCount() : runCount;
  }

  /** How often a subject with huge pages runs that a claim is about. */
  public int hugeRunCount() {
    return RUNS_WITH_HUGE_PAGES * runCount;
  }

  /** Whether a claim needs it: G1, the fastest ways of Arenal, and the kernel's. */
  private boolean isClaimed(PretouchSubject subject) {
    if (subject.collector() != null) {
      return subject.collector() == Collector.G1;
    }
    Integer count = subject.threadCount();
    return count != null && count == threadCount && subject.method() != Method.TOUCH;
  }
}
