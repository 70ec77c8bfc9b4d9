package dev.arenal.arrow;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where classes come from. */
final class Paths {
  private Paths() {}

  /** The jar or folder of a class. */
  static Path of(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** The same for a class that is not for others to see. */
  static Path of(String className) {
    try {
      return of(Class.forName(className, false, Paths.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
