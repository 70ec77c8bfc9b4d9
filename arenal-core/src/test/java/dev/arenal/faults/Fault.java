package dev.arenal.faults;

/** A kind of failure. */
public enum Fault {
  /** An object creation inside the library finds the Java heap full. */
  HEAP,

  /**
   * A collection of the JDK has taken an entry, and then finds no heap to grow. All of these places
   * are among those of {@link #HEAP}; there are few, so that all can be tried in each build.
   */
  GROWTH,

  /** A call of one of the library's methods finds the stack at its end. */
  STACK,

  /** A call of one of the library's methods finds a class that could not be initialized. */
  LINKAGE,

  /**
   * The library asks for its reserve of stack, which is not there, and the Java heap has no room
   * for a {@code StackOverflowError}: then HotSpot throws an {@code OutOfMemoryError}.
   */
  RESERVE;

  /** Whether it may happen where {@code place} may. */
  boolean isAt(Fault place) {
    return this == place || (this == LINKAGE && place == STACK);
  }

  Error error() {
    return switch (this) {
      case HEAP, GROWTH, RESERVE -> new OutOfMemoryError(Faults.MESSAGE);
      case STACK -> new StackOverflowError(Faults.MESSAGE);
      case LINKAGE -> new NoClassDefFoundError(Faults.MESSAGE);
    };
  }
}
