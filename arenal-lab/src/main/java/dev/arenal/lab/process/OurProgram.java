package dev.arenal.lab.process;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs of ours that are not on the module path, as words for the java launcher. */
public final class OurProgram {
  private OurProgram() {}

  /**
   * The words that come behind the options of the JVM.
   *
   * <p>Its jars are where the build puts them, beside ours. Run from classes, as by an IDE, the
   * class path has them, and newer.
   *
   * @param jar its jar, in the folder of programs
   * @param others whether it needs what lies beside its jar
   */
  public static List<String> words(String main, String jar, boolean others) throws IOException {
    String classFile = main.replace('.', '/') + ".class";
    if (ClassLoader.getSystemResource(classFile) != null) {
      return List.of("-cp", System.getProperty("java.class.path"), main);
    }
    try {
      Path ours =
          Path.of(OurProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return words(ours.resolveSibling("programs"), main, jar, others);
    } catch (URISyntaxException e) {
      throw new IOException("cannot find our own jar", e);
    }
  }

  /** The same with the jar in that folder. */
  static List<String> words(Path folder, String main, String jar, boolean others)
      throws IOException {
    Path file = folder.resolve(jar);
    if (!Files.exists(file)) {
      throw new IOException(
          "a program of ours is missing: jar=" + file + " (expected after mvn -B package)");
    }
    return List.of("-cp", others ? file.resolveSibling("*").toString() : file.toString(), main);
  }
}
