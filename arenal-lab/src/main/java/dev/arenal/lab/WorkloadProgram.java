package dev.arenal.lab;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The workload as words for the java launcher: it runs in JVMs of its own. */
final class WorkloadProgram {
  private static final String MAIN = "dev.arenal.workload.InterleavedLoaders";

  private WorkloadProgram() {}

  /**
   * The words that come behind the options of the JVM.
   *
   * <p>Its jar is where the build puts it, beside ours. Run from classes, as by an IDE, the class
   * path has it, and newer.
   */
  static List<String> words() throws IOException {
    String classFile = MAIN.replace('.', '/') + ".class";
    if (ClassLoader.getSystemResource(classFile) != null) {
      return List.of("-cp", System.getProperty("java.class.path"), MAIN);
    }
    return List.of("-jar", jar().toString());
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
