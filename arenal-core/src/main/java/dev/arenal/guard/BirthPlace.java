package dev.arenal.guard;

import java.util.List;

/**
 * The line of a stack that a reader looks for: where the program asked for memory. Not the library
 * nor its adapters, and not the classes of Netty and Arrow that hand out buffers of others.
 */
final class BirthPlace {
  private static final StackTraceElement UNKNOWN =
      new StackTraceElement("unknown", "unknown", null, -1);

  /** The package may have been renamed. */
  private static final String OWN = ownPackage();

  /** Parts of class names; before them there may be a package of a renamed copy. */
  private static final String[] IN_BETWEEN = {
    ".netty.buffer.", "apache.arrow.memory.", "apache.arrow.vector.",
  };

  /** Beginnings of class names: reflection, and allocators of the JDK that call ours. */
  private static final String[] OF_THE_JDK = {
    "java.lang.foreign.",
    "java.lang.invoke.",
    "java.lang.reflect.",
    "jdk.internal.foreign.",
    "jdk.internal.reflect.",
  };

  private BirthPlace() {}

  private static String ownPackage() {
    String name = BirthPlace.class.getName();
    return name.substring(0, name.length() - "guard.BirthPlace".length());
  }

  /** The last frame where all are passed over. */
  static StackTraceElement of(List<StackTraceElement> stack) {
    for (int i = 0; i < stack.size(); i++) {
      if (!isPassedOver(stack.get(i).getClassName())) {
        return stack.get(i);
      }
    }
    return stack.isEmpty() ? UNKNOWN : stack.getLast();
  }

  private static boolean isPassedOver(String className) {
    if (className.startsWith(OWN)) {
      return true;
    }
    for (String part : IN_BETWEEN) {
      if (className.contains(part)) {
        return true;
      }
    }
    for (String beginning : OF_THE_JDK) {
      if (className.startsWith(beginning)) {
        return true;
      }
    }
    return false;
  }
}
