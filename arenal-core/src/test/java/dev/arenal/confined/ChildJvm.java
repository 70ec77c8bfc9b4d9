package dev.arenal.confined;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM like this one, for settings that are read once; runs {@link PoolProgram}. */
record ChildJvm(int exitCode, String out, String err) {
  private static final List<String> USUAL =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

  /** With these flags of the JVM and this command of the program. */
  static ChildJvm run(List<String> flags, String... command)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(USUAL);
    line.addAll(flags);
    line.addAll(List.of("-cp", classPath(), PoolProgram.class.getName()));
    line.addAll(List.of(command));
    Path out = Files.createTempFile("child", ".out");
    Path err = Files.createTempFile("child", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(line);
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().remove("JDK_JAVA_OPTIONS");
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("a JVM has not ended: " + line);
      }
      return new ChildJvm(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static String classPath() {
    return codeOf(PooledArena.class)
        + System.getProperty("path.separator")
        + codeOf(PoolProgram.class);
  }

  private static Path codeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
