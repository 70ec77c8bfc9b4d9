package dev.arenal.touch;

import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The plan of one run, from settings and machine: threads, processors and method. */
final class TouchPlan {
  /** Less than this for each thread is not worth a thread. */
  private static final long LEAST_BYTES_EACH = 4L << 20;

  private final @Nullable BitSet processors;
  private final boolean populates;
  private final int mostThreads;
  private int threadCount;
  private long wantedBytes;

  TouchPlan(OperatingSystem os, Pretouch settings, String target) {
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

  /** Notes the amount of work, to which the number of threads is limited. */
  void begin(long allBytes) {
    wantedBytes = allBytes;
    threadCount = threadsFor(allBytes);
  }

  int threadsFor(long sizeBytes) {
    return Math.clamp(sizeBytes / LEAST_BYTES_EACH, 1, mostThreads);
  }

  int threadCount() {
    return threadCount;
  }

  /** Bytes to be touched, as far as is known. */
  long wantedBytes() {
    return wantedBytes;
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
}
