package dev.arenal.elastic;

/** What benchmarks may do with spaces that programs may not. */
public final class VerifiedSpace {
  private VerifiedSpace() {}

  /** Checks the structures of a space against each other. */
  public static void verify(ElasticSpace space) {
    space.verify();
  }
}
