package dev.arenal.elastic;

/** Operations on spaces for benchmarks, not for programs. */
public final class VerifiedSpace {
  private VerifiedSpace() {}

  /** Checks the structures of a space against each other. */
  public static void verify(ElasticSpace space) {
    space.verify();
  }
}
