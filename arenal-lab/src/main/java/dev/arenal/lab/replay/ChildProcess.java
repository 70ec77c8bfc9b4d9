package dev.arenal.lab.replay;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** One child process from start to result. */
final class ChildProcess {
  private static final int COUNT_LINES_SHOWN = 12;

  private ChildProcess() {}

  /**
   * Runs a child that writes a {@link ChildResult} into the file named by its last argument.
   *
   * @param what what it does, for the error: {@code name=value} pairs
   * @param builder the command without that last argument
   * @param eachSecond told the seconds that have passed
   */
  static ChildResult run(String what, ProcessBuilder builder, LongConsumer eachSecond)
      throws IOException, InterruptedException, ReplayFailedException {
    Path result = TemporaryFiles.create(".result");
    Path output = TemporaryFiles.create(".output");
    try {
      builder.command().add(result.toString());
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      int exitCode = await(builder.start(), eachSecond);
      if (exitCode != 0) {
        throw new ReplayFailedException(
            "replay died: %s, exitCode=%d%s".formatted(what, exitCode, tail(output)));
      }
      return ChildResult.read(result);
    } finally {
      Files.deleteIfExists(result);
      Files.deleteIfExists(output);
    }
  }

  private static int await(Process process, LongConsumer eachSecond) throws InterruptedException {
    Thread killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      process.getOutputStream().close();
      for (long seconds = 1; !process.waitFor(1, TimeUnit.SECONDS); seconds++) {
        eachSecond.accept(seconds);
      }
      return process.exitValue();
    } catch (IOException e) {
      throw new AssertionError("closing a pipe that nobody wrote to failed", e);
    } finally {
      process.destroyForcibly();
      removeHook(killer);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down: the hook does its work.
      return;
    }
  }

  private static String tail(Path output) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
    StringBuilder text = new StringBuilder();
    if (lines.isEmpty()) {
      text.append(" (it printed nothing)");
    } else {
      text.append("; its last lines:");
    }
    for (String line : lines.subList(Math.max(0, lines.size() - COUNT_LINES_SHOWN), lines.size())) {
      text.append("\n    ").append(line);
    }
    return text.toString();
  }
}
