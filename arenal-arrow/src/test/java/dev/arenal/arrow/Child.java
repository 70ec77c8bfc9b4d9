package dev.arenal.arrow;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM that has ended. */
record Child(int status, List<String> out, List<String> err) {
  /** Warnings of the JVM that are not about Arenal: Arrow's use of Unsafe. */
  private static final String UNSAFE = "WARNING: .*(sun\\.misc\\.Unsafe|MemoryUtil).*";

  /** Runs a JVM to its end. */
  static Child run(Path folder, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    Path errors = folder.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Child(process.waitFor(), out.lines().toList(), lines(errors));
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file);
  }

  /** Lines of the standard error, but those about Arrow's use of Unsafe. */
  List<String> complaints() {
    return err.stream().filter(line -> !line.matches(UNSAFE)).toList();
  }
}
