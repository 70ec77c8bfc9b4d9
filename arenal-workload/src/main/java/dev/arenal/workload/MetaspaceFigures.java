package dev.arenal.workload;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import org.jspecify.annotations.Nullable;

/** The JVM's figures of its own metaspace at one moment. */
final class MetaspaceFigures {
  // Looked up once: a sampler that asks ten times a second is not to change what it looks at.
  private static final @Nullable MemoryPoolMXBean BOTH = pool("Metaspace");
  private static final @Nullable MemoryPoolMXBean CLASSES = pool("Compressed Class Space");

  private final MemoryUsage both;
  private final MemoryUsage classes;

  private MetaspaceFigures(MemoryUsage both, MemoryUsage classes) {
    this.both = both;
    this.classes = classes;
  }

  static MetaspaceFigures now() {
    return new MetaspaceFigures(usage(BOTH), usage(CLASSES));
  }

  /** Of both spaces together. */
  long usedBytes() {
    return both.getUsed();
  }

  /** Of both spaces together. */
  long committedBytes() {
    return both.getCommitted();
  }

  long classUsedBytes() {
    return classes.getUsed();
  }

  long classCommittedBytes() {
    return classes.getCommitted();
  }

  private static @Nullable MemoryPoolMXBean pool(String name) {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals(name)) {
        return pool;
      }
    }
    // Without compressed class pointers there is no class space.
    return null;
  }

  private static MemoryUsage usage(@Nullable MemoryPoolMXBean pool) {
    return pool == null ? new MemoryUsage(0, 0, 0, -1) : pool.getUsage();
  }
}
