package dev.arenal.touch;

import dev.arenal.os.HugePages;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import java.util.BitSet;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one run, from settings and machine: threads, processors and method. Also makes the
 * errors of the run.
 */
final class TouchPlan {
  /** At most this fraction of the available memory is touched between two checks. */
  private static final int PARTS_OF_HEADROOM = 8;

  /** Less than this for each thread is not worth a thread. */
  private static final long LEAST_BYTES_EACH = 4L << 20;

  private final OperatingSystem os;
  private final Pretouch settings;
  private final String target;
  private final @Nullable BitSet processors;
  private final boolean populates;
  private final int mostThreads;
  private TouchNeed need = TouchNeed.ofResident(0);
  private int threadCount;

  /** The headroom at the last check. A thread that reads an old value checks a little late. */
  private volatile long headroomBytes = MemoryFigures.UNKNOWN;

  TouchPlan(OperatingSystem os, Pretouch settings, String target) {
    this.os = os;
    this.settings = settings;
    this.target = target;
    this.processors = processors(os, settings, target);
    this.populates = os.canPopulate() && settings.method() != PretouchMethod.TOUCH;
    int cores = Runtime.getRuntime().availableProcessors();
    int usual = processors == null ? cores : Math.min(cores, processors.cardinality());
    this.mostThreads =
        settings.threadCount() == Pretouch.ALL_CORES ? usual : settings.threadCount();
    this.threadCount = mostThreads;
  }

  /** The processors to run on; null: any. */
  private static @Nullable BitSet processors(OperatingSystem os, Pretouch settings, String target) {
    if (settings.node() == Pretouch.ANY_NODE) {
      return null;
    }
    int nodeCount = os.nodeCount();
    if (nodeCount == 1 && settings.node() <= 0) {
      return null; // costs nothing where there is only one
    }
    int node = settings.node() == Pretouch.THIS_NODE ? os.currentNode() : settings.node();
    BitSet found = os.processorsOfNode(node);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "NUMA node has no processor for this process: "
              + target
              + ", node="
              + node
              + ", nodes="
              + nodeCount);
    }
    return found;
  }

  /** Sets the need that the owner has stated. */
  void note(TouchNeed told) {
    need = told;
  }

  /** Limits the number of threads to the amount of work. */
  void noteWanted(long wantedBytes) {
    threadCount = threadsFor(wantedBytes);
  }

  private int threadsFor(long wantedBytes) {
    return Math.clamp(wantedBytes / LEAST_BYTES_EACH, 1, mostThreads);
  }

  int threadCount() {
    return threadCount;
  }

  @Nullable BitSet processors() {
    return processors;
  }

  boolean populates() {
    return populates;
  }

  PretouchMethod method() {
    return populates ? PretouchMethod.POPULATE : PretouchMethod.TOUCH;
  }

  void adviseHuge(TouchRange range, boolean huge) {
    HugePages.adviseWithin(os, range.address(), range.sizeBytes(), huge);
  }

  // ---- refusals ----

  /** Throws if there is not enough. */
  void check() {
    if (settings.isForced()) {
      return;
    }
    MemoryFigures figures = os.memoryFigures();
    headroomBytes = figures.availableBytes();
    String shortage = Refusals.shortage(need, figures, threadsFor(need.residentBytes()));
    if (!shortage.isEmpty()) {
      throw Refusals.refused(target, shortage, need, figures);
    }
  }

  /**
   * During the run: the error if the memory that is still needed is no longer available; else null.
   */
  @Nullable OutOfMemoryError shortage(long wantedBytes, long touchedBytes) {
    if (settings.isForced()) {
      return null;
    }
    MemoryFigures figures = os.memoryFigures();
    long restBytes = Math.max(0, need.residentBytes() - touchedBytes);
    // Half of the margin at the beginning: the figures move a little by themselves.
    long marginBytes = Refusals.marginBytes(need.residentBytes(), threadCount) / 2;
    headroomBytes = Math.max(0, figures.availableBytes() - marginBytes);
    // Committed memory may not be resident: where nothing is left, it does not matter whose it is.
    boolean isAtEnd = touchedBytes < wantedBytes && headroomBytes == 0;
    return restBytes > headroomBytes || isAtEnd
        ? Refusals.vanished(target, need, wantedBytes, touchedBytes, figures)
        : null;
  }

  /**
   * Bytes that may be touched before the next check. Several processes that take memory at the same
   * time notice each other before none is left.
   */
  long bytesUntilLook() {
    return headroomBytes / PARTS_OF_HEADROOM;
  }

  OutOfMemoryError failed(long wantedBytes, long touchedBytes, long errno) {
    return Refusals.failed(
        target, need, wantedBytes, touchedBytes, os.describe(errno), os.memoryFigures());
  }

  CancellationException cancelled(long wantedBytes, long touchedBytes) {
    return new CancellationException(
        "pretouch cancelled: "
            + target
            + ", wantedBytes="
            + wantedBytes
            + ", touchedBytes="
            + touchedBytes
            + " (what was taken has gone back)");
  }
}
