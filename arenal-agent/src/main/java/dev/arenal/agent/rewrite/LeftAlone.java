package dev.arenal.agent.rewrite;

/** Why a site or a whole class was left as it was. */
public enum LeftAlone {
  /** The arena may live longer than a call, and only try-with-resources was asked for. */
  SHAPE("not try-with-resources"),
  /** The same, because of code that no compiler puts there. */
  DISTURBED("try-with-resources that another tool has put code into"),
  EXCLUDED("excluded"),
  /** Serialised functions name the method they stand for; the readers of old ones look for it. */
  SERIALIZABLE("serializable method reference"),
  /**
   * A bootstrap method of another language may look into the handle it is given, and so may code
   * that loads one as a constant.
   */
  FOREIGN_REFERENCE("method reference of an unknown kind"),
  NO_ROOM("no room in the class file"),
  /** The way to the agent for loaders that do not see it needs dynamic constants. */
  TOO_OLD("class file older than Java 11 in a loader of its own"),
  /** Methods cannot be added to a class that has been loaded. */
  LOADED("loaded before the agent by a loader that does not see it"),
  /** The class file differs from the analysed one; never observed, and never acted on. */
  MISMATCH("unexpected instructions"),
  /** Not a class file that could be understood. */
  UNREADABLE("unreadable"),
  /** The JVM did not take the rewritten class. */
  REFUSED("refused by the JVM");

  private final String label;

  LeftAlone(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
