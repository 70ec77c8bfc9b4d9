package dev.arenal.workload;

/** Whoever is told how the workload gets on. */
interface Listener extends AutoCloseable {
  /** A phase is reached and what it released has been collected. */
  void phase(String label);

  /** All generations but one are gone, for the first time; follows its phase. */
  void valley();

  @Override
  void close();
}
