package dev.arenal.lab.pretouch;

import dev.arenal.lab.heap.ChildFailedException;
import dev.arenal.lab.heap.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program in C that asks the kernel for pages and does nothing else, compiled when it is needed.
 */
final class KernelProgram implements AutoCloseable {
  static final List<String> COMPILERS = List.of("cc", "gcc", "clang");

  private static final String SOURCE = "kernel-pretouch.c";
  private static final long MOST_SECONDS = 60;

  private final Path folder;
  private final Path program;

  private KernelProgram(Path folder, Path program) {
    this.folder = folder;
    this.program = program;
  }

  /** Compiles it with the first of these compilers that can; null if none does. */
  static @Nullable KernelProgram compile(List<String> compilers)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("arenal-lab");
    Path source = folder.resolve(SOURCE);
    try (InputStream in = KernelProgram.class.getResourceAsStream(SOURCE)) {
      if (in == null) {
        throw new AssertionError("a resource of this module is always there: " + SOURCE);
      }
      Files.write(source, in.readAllBytes());
    }
    KernelProgram program = new KernelProgram(folder, folder.resolve("kernel-pretouch"));
    for (String compiler : compilers) {
      if (program.isCompiledBy(compiler, source)) {
        return program;
      }
    }
    program.close();
    return null;
  }

  private boolean isCompiledBy(String compiler, Path source) throws InterruptedException {
    List<String> command =
        List.of(compiler, "-O2", "-pthread", "-o", program.toString(), source.toString());
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean hasEnded = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      return hasEnded && process.exitValue() == 0 && Files.isExecutable(program);
    } catch (IOException e) {
      // Most machines have one of them, or none.
      return false;
    }
  }

  /** Runs it once. */
  PretouchSample run(String method, long sizeBytes, int countThreads, boolean hugePages)
      throws IOException, InterruptedException, ChildFailedException {
    List<String> words =
        List.of(
            program.toString(),
            method,
            String.valueOf(sizeBytes),
            String.valueOf(countThreads),
            hugePages ? "1" : "0");
    return ChildProcess.run(
        "program in C",
        "method=%s, sizeBytes=%d, threads=%d, hugePages=%s"
            .formatted(method, sizeBytes, countThreads, hugePages),
        new ProcessBuilder(new ArrayList<>(words)),
        _ -> {},
        FigureLine::readSample);
  }

  /** Where it is. */
  Path path() {
    return program;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(program);
    Files.deleteIfExists(folder.resolve(SOURCE));
    Files.deleteIfExists(folder);
  }
}
