package dev.arenal.lab.trace;

/** Where in a trace the reader stands, so that every refusal names the place. */
final class TracePlace {
  private static final String EXPECTED = " (expected ";

  private final String traceName;
  private long blockOffsetBytes;
  private int block;
  private long event;

  TracePlace(String traceName) {
    this.traceName = traceName;
  }

  void enterBlock(int newBlock, long newBlockOffsetBytes) {
    block = newBlock;
    blockOffsetBytes = newBlockOffsetBytes;
  }

  void enterEvent(long newEvent) {
    event = newEvent;
  }

  TraceFormatException problem(String problem, String expected) {
    return problem(problem + " (" + expected + ")");
  }

  /** Adds the place to a message: behind its own values, before what was expected. */
  TraceFormatException problem(String problem) {
    int expected = problem.lastIndexOf(EXPECTED);
    String what = expected < 0 ? problem : problem.substring(0, expected);
    String remedy = expected < 0 ? "" : problem.substring(expected);
    return new TraceFormatException(
        what
            + (what.contains("=") ? ", " : ": ")
            + "trace="
            + traceName
            + ", block="
            + block
            + ", blockOffsetBytes="
            + blockOffsetBytes
            + ", event="
            + event
            + remedy);
  }
}
