package dev.arenal.lab.process;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
    return words(folder(), main, jar, others);
  }

  /** The same words of a workload, by the name of its class. */
  public static List<String> workload(String name) throws IOException {
    return words("dev.arenal.workload." + name, "arenal-workload.jar", false);
  }

  /** A jar of the folder of programs, whether it is there or not. */
  public static Path file(String jar) throws IOException {
    return folder().resolve(jar);
  }

  private static Path folder() throws IOException {
    try {
      Path ours =
          Path.of(OurProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return ours.resolveSibling("programs");
    } catch (URISyntaxException e) {
      throw new IOException("cannot find our own jar", e);
    }
  }

  /**
   * Our own code and all that it needs, as a class path: of a module path the jars in its folders.
   */
  public static List<Path> classPath() throws IOException {
    boolean isModule = OurProgram.class.getModule().isNamed();
    return classPath(System.getProperty(isModule ? "jdk.module.path" : "java.class.path"));
  }

  /** The same of a module path or a class path. */
  public static List<Path> classPath(String path) throws IOException {
    List<Path> classPath = new ArrayList<>();
    for (String entry : path.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        classPath.addAll(withJars(Path.of(entry)));
      }
    }
    return classPath;
  }

  /** A class path as a word for the java launcher. */
  public static String word(List<Path> classPath) {
    return String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList());
  }

  /** A folder of a module path may be one of jars. */
  private static List<Path> withJars(Path entry) throws IOException {
    if (Files.isDirectory(entry)) {
      try (Stream<Path> files = Files.list(entry)) {
        List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        return jars.isEmpty() ? List.of(entry) : jars;
      }
    }
    return List.of(entry);
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
