package dev.arenal.agent.netty;

/** A Netty, or a class of it, differs from those that are known. */
final class UnknownShapeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnknownShapeException(String message, String expected) {
    super(message + " (expected " + expected + ")");
  }
}
