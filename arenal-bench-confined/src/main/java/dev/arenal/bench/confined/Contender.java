package dev.arenal.bench.confined;

import java.lang.foreign.Arena;

/**
 * The one factory of this JVM, as a constant.
 *
 * <p>JMH sets the name in a field before it measures; a field read by the measured code would hide
 * from the compiler what the factory is, and the arena could not live in registers as it does in a
 * program that names its factory. So the name becomes a constant when the first state is set up,
 * and every factory needs a fork of its own, which JMH gives it.
 */
final class Contender {
  private static volatile String wanted = "";

  private Contender() {}

  /** Makes it the factory of this JVM. */
  static void choose(String factory) {
    wanted = factory;
    if (!Constant.NAME.equals(factory)) {
      throw new IllegalStateException(
          "this JVM measures another factory: factory=%s, measured=%s (expected a fork for each)"
              .formatted(factory, Constant.NAME));
    }
  }

  /** Opens an arena of the chosen factory. */
  static Arena open() {
    return Constant.FACTORY.open();
  }

  private static final class Constant {
    private static final String NAME = wanted;
    private static final ArenaFactory FACTORY = ArenaFactory.named(NAME);
  }
}
