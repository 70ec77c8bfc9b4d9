package dev.arenal.stats;

/** Takes values, such as times of waiting; a row shows their average and the largest. */
public final class Sampler {
  Sampler() {}

  /** Takes one value. */
  public void sample(long value) {}
}
