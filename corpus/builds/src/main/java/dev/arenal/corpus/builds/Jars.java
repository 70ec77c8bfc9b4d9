package dev.arenal.corpus.builds;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the jars of tools and libraries on the class path, as a build does in a repository. */
final class Jars {
  private static final String SEPARATOR = Pattern.quote(File.pathSeparator);

  private Jars() {}

  static List<Path> find(List<String> artifacts) {
    return artifacts.stream().map(Jars::find).toList();
  }

  static URL[] urls(List<Path> paths) {
    URL[] urls = new URL[paths.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = paths.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }
    return urls;
  }

  private static Path find(String artifact) {
    Pattern name = Pattern.compile(Pattern.quote(artifact) + "-\\d.*(?<!-data)\\.jar");
    for (String entry : System.getProperty("java.class.path").split(SEPARATOR)) {
      Path path = Path.of(entry);
      if (name.matcher(path.getFileName().toString()).matches()) {
        return path;
      }
    }
    throw new IllegalStateException("Not on the class path: " + artifact);
  }
}
