package dev.arenal.corpus.common;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.WeakReference;

/** The parts of a program that are for its recording: collections, and lines on metaspace. */
public final class Metaspace {
  private static final int MOST_ROUNDS = 10;
  private static final long PAUSE_MILLIS = 100;
  private static final long KIB = 1 << 10;

  private Metaspace() {}

  /** Collects until no more classes go: caches let go of theirs in a second round or a third. */
  public static void collect() {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    long before = -1;
    for (int i = 0; i < MOST_ROUNDS && classes.getUnloadedClassCount() != before; i++) {
      before = classes.getUnloadedClassCount();
      System.gc();
      pause();
    }
  }

  /** Collects until a loader is gone: the JVM's compilers hold for a while what they compile. */
  public static void collect(WeakReference<ClassLoader> loader) {
    collect();
    for (int i = 0; i < MOST_ROUNDS && !loader.refersTo(null); i++) {
      pause();
      collect();
    }
  }

  /** Prints a line with what is used and committed now. */
  public static void say(String moment) {
    long usedBytes = 0;
    long committedBytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals("Metaspace")) { // the class space is part of it
        usedBytes = pool.getUsage().getUsed();
        committedBytes = pool.getUsage().getCommitted();
      }
    }
    System.err.printf(
        "%-24s %,9d KiB used, %,9d KiB committed, %,7d classes%n",
        moment,
        usedBytes / KIB,
        committedBytes / KIB,
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
  }

  /** For what other threads do after a collection: cleaners, reference queues. */
  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
