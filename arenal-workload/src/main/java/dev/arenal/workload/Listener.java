package dev.arenal.workload;

/** Receives the progress of the workload. */
interface Listener extends AutoCloseable {
  /** A phase is reached and what it released has been collected. */
  void phase(String label);

  /** All generations but one are gone, for the first time; follows its phase. */
  void valley();

  @Override
  void close();
}
