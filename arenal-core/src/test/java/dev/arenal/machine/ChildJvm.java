package dev.arenal.machine;

import dev.arenal.memory.Budget;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM like this one, for what is read, loaded or counted once in a process. Its class path
 * is the library and its tests, and nothing that they use.
 */
public record ChildJvm(int exitCode, String out, String err) {
  private static final List<String> USUAL =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

  /** Tests have shorter limits of their own, which interrupt the wait. */
  private static final long MOST_SECONDS = 180;

  /** With these flags of the JVM and this command of the program; returns when it has ended. */
  public static ChildJvm run(List<String> flags, Class<?> program, String... command)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(USUAL);
    line.addAll(flags);
    String classPath = codeOf(Budget.class) + File.pathSeparator + codeOf(program);
    line.addAll(List.of("-cp", classPath, program.getName()));
    line.addAll(List.of(command));
    Path out = Files.createTempFile("child", ".out");
    Path err = Files.createTempFile("child", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(line);
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().remove("JDK_JAVA_OPTIONS");
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      try {
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError("a JVM has not ended: " + line);
        }
      } finally {
        var _ = process.destroyForcibly();
      }
      return new ChildJvm(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static Path codeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
