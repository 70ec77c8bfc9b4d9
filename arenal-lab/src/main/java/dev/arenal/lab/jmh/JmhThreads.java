package dev.arenal.lab.jmh;

import dev.arenal.lab.result.Labelled;

/** Kinds of threads that a benchmark can run on. */
public enum JmhThreads implements Labelled {
  /** JMH's own. */
  PLATFORM,
  VIRTUAL,
  /** Those of Netty, without which its allocators have no caches of a thread. */
  NETTY
}
