package dev.arenal.corpus.common;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The program's class path: where a program finds the libraries that it packs or loads itself. */
public final class ClassPath {
  private static final String SEPARATOR = Pattern.quote(File.pathSeparator);

  private ClassPath() {}

  /** The program's own jar, and those of all libraries. */
  public static List<Path> all() {
    return Stream.of(System.getProperty("java.class.path").split(SEPARATOR)).map(Path::of).toList();
  }

  /** The jars of artifacts, in the same order. */
  public static List<Path> find(List<String> artifacts) {
    return artifacts.stream().map(ClassPath::find).toList();
  }

  /** The jar of an artifact, in whatever version it is there. */
  public static Path find(String artifact) {
    // A few artifacts have a second jar, with nothing but data.
    Pattern name = Pattern.compile(Pattern.quote(artifact) + "-\\d.*(?<!-data)\\.jar");
    for (Path entry : all()) {
      if (name.matcher(entry.getFileName().toString()).matches()) {
        return entry;
      }
    }
    throw new IllegalStateException(
        "not on the class path: artifact=%1$s (expected %1$s-VERSION.jar)".formatted(artifact));
  }

  /** The same jars, as class loaders want them. */
  public static URL[] urls(List<Path> jars) {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = jars.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }
    return urls;
  }
}
