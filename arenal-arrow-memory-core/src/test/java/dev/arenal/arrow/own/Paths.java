package dev.arenal.arrow.own;

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
}
