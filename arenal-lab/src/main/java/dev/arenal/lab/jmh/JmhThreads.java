package dev.arenal.lab.jmh;

import java.util.Locale;

/** Kinds of threads that a benchmark can run on. */
public enum JmhThreads {
  /** JMH's own. */
  PLATFORM,
  VIRTUAL,
  /** Those of Netty, without which its allocators have no caches of a thread. */
  NETTY;

  /** Its name in plans. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
