package dev.arenal.lab.confined;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The benchmarks as words for the java launcher: they run in a JVM of their own. */
public final class ConfinedProgram {
  private static final String MAIN = "dev.arenal.bench.confined.Rounds";
  private static final String JAR = "arenal-bench-confined.jar";

  private ConfinedProgram() {}

  /**
   * The words that come behind the options of the JVM.
   *
   * <p>Its jars are where the build puts them, beside ours. Run from classes, as by an IDE, the
   * class path has them, and newer.
   */
  public static List<String> words() throws IOException {
    String classFile = MAIN.replace('.', '/') + ".class";
    if (ClassLoader.getSystemResource(classFile) != null) {
      return List.of("-cp", System.getProperty("java.class.path"), MAIN);
    }
    try {
      Path ours =
          Path.of(
              ConfinedProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return words(ours.resolveSibling("programs").resolve("confined"));
    } catch (URISyntaxException e) {
      throw new IOException("cannot find our own jar", e);
    }
  }

  /** The same with the jars in that folder. */
  static List<String> words(Path folder) throws IOException {
    Path jar = folder.resolve(JAR);
    if (!Files.exists(jar)) {
      throw new IOException(
          "the benchmarks are missing: jar=" + jar + " (expected after mvn -B package)");
    }
    return List.of("-cp", folder + File.separator + "*", MAIN);
  }
}
