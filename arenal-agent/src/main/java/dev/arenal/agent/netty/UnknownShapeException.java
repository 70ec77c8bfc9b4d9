package dev.arenal.agent.netty;

/** A class differs from the known class of that name. */
final class UnknownShapeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnknownShapeException(String message) {
    super(message + " (expected as in Netty 4.1 or 4.2)");
  }
}
