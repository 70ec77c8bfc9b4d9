package dev.arenal.corpus.felix;

import java.io.File;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Finds the libraries' jars on the class path. */
final class Jars {
  private static final String SEPARATOR = Pattern.quote(File.pathSeparator);

  private Jars() {}

  /** The jar of this program. */
  static Path ours() {
    return find("felix");
  }

  static Path find(String artifact) {
    Pattern name = Pattern.compile(Pattern.quote(artifact) + "-\\d.*\\.jar");
    for (String entry : System.getProperty("java.class.path").split(SEPARATOR)) {
      Path path = Path.of(entry);
      if (name.matcher(path.getFileName().toString()).matches()) {
        return path;
      }
    }
    throw new IllegalStateException("Not on the class path: " + artifact);
  }
}
