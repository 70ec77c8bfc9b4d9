package dev.arenal.page;

/** The line of a stack that a reader looks for: the first one that is not the library's. */
final class BirthPlace {
  private static final StackTraceElement UNKNOWN =
      new StackTraceElement("unknown", "unknown", null, -1);

  /** The package may have been renamed. */
  private static final String OWN = ownPackage();

  private BirthPlace() {}

  private static String ownPackage() {
    String name = BirthPlace.class.getName();
    String own = name.substring(0, name.length() - ".BirthPlace".length());
    return own.substring(0, own.lastIndexOf('.') + 1);
  }

  /** Of adapters and of the library there is nothing to say: whoever called them is asked for. */
  static StackTraceElement of(StackTraceElement[] stack) {
    for (StackTraceElement element : stack) {
      if (!element.getClassName().startsWith(OWN)) {
        return element;
      }
    }
    return stack.length == 0 ? UNKNOWN : stack[stack.length - 1];
  }
}
