package dev.arenal.lab.heap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** One child process from start to result. */
public final class ChildProcess {
  private static final int COUNT_LINES_SHOWN = 12;

  private ChildProcess() {}

  /**
   * Runs a child that writes its result into the file named by its last argument.
   *
   * @param what what it is, for the error, such as {@code replay}
   * @param details the same in {@code name=value} pairs
   * @param builder the command without that last argument
   * @param eachSecond told the seconds that have passed
   * @param reader reads the result
   */
  public static <R> R run(
      String what,
      String details,
      ProcessBuilder builder,
      LongConsumer eachSecond,
      ResultReader<R> reader)
      throws IOException, InterruptedException, ChildFailedException {
    Path result = TemporaryFiles.create(".result");
    Path output = TemporaryFiles.create(".output");
    try {
      builder.command().add(result.toString());
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      int exitCode = await(builder.start(), eachSecond);
      if (exitCode != 0) {
        throw new ChildFailedException(
            "%s died: %s, exitCode=%d%s".formatted(what, details, exitCode, tail(output)));
      }
      return reader.read(result);
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

  /** Reads what a child wrote. */
  @FunctionalInterface
  public interface ResultReader<R> {
    /** The result in that file. */
    R read(Path file) throws IOException;
  }
}
