package dev.arenal.lab.trace;

/** Which of the JVM's two metaspaces an arena belongs to. */
public enum TraceSpace {
  /** The growable space of everything but class structures. */
  NON_CLASS,
  /** The fixed space of class structures, which have 32-bit references. */
  CLASS;

  /** Place of the space's figures in arrays of one figure per space. */
  public int index() {
    return this == CLASS ? 1 : 0;
  }
}
