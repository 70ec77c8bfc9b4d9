package dev.arenal.agent.sites;

/** What a method does with the arena that a call site opens. */
public enum SiteShape {
  /** The resource of a try statement. */
  TRY_WITH_RESOURCES("try-with-resources");

  private final String label;

  SiteShape(String label) {
    this.label = label;
  }

  /** Its name in tables and JSON. */
  public String label() {
    return label;
  }
}
