package dev.arenal.lab.trace;

/** Where in a trace the reader stands, so that every refusal names the place. */
final class TracePlace {
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

  TraceFormatException problem(String problem) {
    return new TraceFormatException(
        problem
            + ": trace="
            + traceName
            + ", block="
            + block
            + ", blockOffsetBytes="
            + blockOffsetBytes
            + ", event="
            + event);
  }

  TraceFormatException problem(String problem, String expected) {
    return new TraceFormatException(problem(problem).getMessage() + " (" + expected + ")");
  }
}
