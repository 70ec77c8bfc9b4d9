package dev.arenal.lab;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs as words for the java launcher: they run in JVMs of their own. */
final class WorkloadProgram {
  private static final String PACKAGE = "dev.arenal.workload.";
  private static final String LOADERS = PACKAGE + "InterleavedLoaders";
  private static final String START = PACKAGE + "HeapAtStart";

  private WorkloadProgram() {}

  /** The workload of class loaders. */
  static List<String> words() throws IOException {
    return words(LOADERS);
  }

  /** The program that starts, prints two lines and waits. */
  static List<String> startWords() throws IOException {
    return words(START);
  }

  /**
   * The words that come behind the options of the JVM.
   *
   * <p>Its jar is where the build puts it, beside ours. Run from classes, as by an IDE, the class
   * path has it, and newer.
   */
  private static List<String> words(String main) throws IOException {
    String classFile = main.replace('.', '/') + ".class";
    if (ClassLoader.getSystemResource(classFile) != null) {
      return List.of("-cp", System.getProperty("java.class.path"), main);
    }
    return List.of("-cp", jar().toString(), main);
  }

  private static Path jar() throws IOException {
    try {
      Path ours =
          Path.of(
              WorkloadProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path jar = ours.resolveSibling("programs").resolve("arenal-workload.jar");
      if (!Files.exists(jar)) {
        throw new IOException("no such file: jar=" + jar + " (expected after mvn verify)");
      }
      return jar;
    } catch (URISyntaxException e) {
      throw new IOException("cannot find our own jar", e);
    }
  }
}
