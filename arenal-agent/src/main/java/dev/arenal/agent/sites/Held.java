package dev.arenal.agent.sites;

/** The content of one place of a frame, as known to the analysis of a site. */
enum Held {
  /** Any value that is of no concern, null among them. */
  OTHER(0),
  /** The arena that the site has opened. Never null. */
  ARENA(1),
  /** The exception that left the code in which the arena was open. Never null. */
  PRIMARY(2),
  /** The exception with which closing the arena failed. Never null. */
  SUPPRESSED(3),
  /** The array in which a coverage tool records executed code. Never null, and long enough. */
  PROBES(4);

  private static final Held[] BY_CODE = {OTHER, ARENA, PRIMARY, SUPPRESSED, PROBES};

  private final int code;

  Held(int code) {
    this.code = code;
  }

  static Held of(int code) {
    return BY_CODE[code];
  }

  /** Three bits. */
  int code() {
    return code;
  }
}
