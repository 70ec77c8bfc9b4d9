package dev.arenal.workload;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.Locale;

/** What the JVM says about its own metaspace, as one line per phase. */
final class MetaspaceFigures {
  private static final String ROW = "%-34s %15s %15s %15s %15s%n";

  private MetaspaceFigures() {}

  static String header() {
    return String.format(
        Locale.ROOT, ROW, "phase", "used-bytes", "committed", "class-used", "class-committed");
  }

  /** Describes the moment; the first two figures are of both spaces together. */
  static String row(String phase) {
    MemoryUsage both = usage("Metaspace");
    MemoryUsage classes = usage("Compressed Class Space");
    return String.format(
        Locale.ROOT,
        ROW,
        phase,
        both.getUsed(),
        both.getCommitted(),
        classes.getUsed(),
        classes.getCommitted());
  }

  private static MemoryUsage usage(String poolName) {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals(poolName)) {
        return pool.getUsage();
      }
    }
    // Without compressed class pointers there is no class space.
    return new MemoryUsage(0, 0, 0, -1);
  }
}
