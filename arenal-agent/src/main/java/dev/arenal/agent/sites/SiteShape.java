package dev.arenal.agent.sites;

/** How a method uses the arena that one of its call sites opens. */
public enum SiteShape {
  /** The resource of a try statement: closed exactly once on every path out of the try's body. */
  TRY_WITH_RESOURCES("try-with-resources"),
  /** The receiver of Kotlin's {@code use}, which promises the same. */
  KOTLIN_USE("kotlin-use"),
  /** Closed on at least one path through the method, without a try statement. */
  CLOSED_IN_METHOD("closed-in-method"),
  /** Neither closed nor passed on. */
  NEVER_CLOSED("never-closed"),
  /** Stored in a field or an array, and not closed by the method. */
  STORED_IN_FIELD("stored-in-field"),
  /** Returned to the caller, and not closed by the method. */
  RETURNED("returned"),
  /**
   * An argument of a method or constructor, and not closed here; or its path cannot be followed.
   */
  PASSED_ON("passed-on"),
  /** {@code Arena::ofConfined}: a function that opens arenas elsewhere. */
  METHOD_REFERENCE("method-reference");

  private final String label;

  SiteShape(String label) {
    this.label = label;
  }

  /** Its name in tables and JSON. */
  public String label() {
    return label;
  }

  /**
   * Whether the arena is closed exactly once on every path. The agent rewrites these by default.
   */
  public boolean isAlwaysClosed() {
    return this == TRY_WITH_RESOURCES || this == KOTLIN_USE;
  }
}
