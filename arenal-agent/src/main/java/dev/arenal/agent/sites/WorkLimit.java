package dev.arenal.agent.sites;

/**
 * How many more frames may be looked at in one method: a count and not a time, so that every run
 * gives up at the same place.
 */
final class WorkLimit {
  /** A site that people write takes some hundreds; one in 64 KiB of generated code some 50,000. */
  private static final int FRAMES_PER_SITE = 250_000;

  private static final int FRAMES_PER_METHOD = 1_000_000;

  private int restOfMethod = FRAMES_PER_METHOD;
  private int restOfSite;

  void nextSite() {
    restOfSite = FRAMES_PER_SITE;
  }

  /** Whether one more may be looked at. */
  boolean take() {
    restOfMethod--;
    restOfSite--;
    return restOfMethod >= 0 && restOfSite >= 0;
  }
}
