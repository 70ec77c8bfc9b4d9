package dev.arenal.agent.rewrite;

/** A table of a class file that is full. */
final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoRoomException(String table) {
    super("no room in the class file: table=" + table);
  }
}
