package dev.arenal.lab.pretouch;

import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program in C that asks the kernel for pages and does nothing else, compiled when it is needed.
 */
final class KernelProgram implements AutoCloseable {
  static final List<String> COMPILERS = List.of("cc", "gcc", "clang");

  private static final String SOURCE = "kernel-pretouch.c";
  private static final long MOST_SECONDS = 60;

  private final TemporaryFolder folder;
  private final Path program;

  private KernelProgram(TemporaryFolder folder) {
    this.folder = folder;
    this.program = folder.file("kernel-pretouch");
  }

  /** Compiles it with the first of these compilers that can; null if none does. */
  static @Nullable KernelProgram compile(List<String> compilers)
      throws IOException, InterruptedException {
    TemporaryFolder folder = TemporaryFolder.create("arenal-lab");
    Path source = folder.file(SOURCE);
    try (InputStream in = KernelProgram.class.getResourceAsStream(SOURCE)) {
      if (in == null) {
        throw new AssertionError("a resource of this module is always there: " + SOURCE);
      }
      Files.write(source, in.readAllBytes());
    }
    KernelProgram program = new KernelProgram(folder);
    for (String compiler : compilers) {
      if (program.isCompiledBy(compiler, source)) {
        return program;
      }
    }
    program.close();
    return null;
  }

  private boolean isCompiledBy(String compiler, Path source) throws InterruptedException {
    try {
      return Program.run(
                  new ProcessBuilder(compiler, "-O2", "-pthread", "-o", "" + program, "" + source),
                  MOST_SECONDS)
              .isGood()
          && Files.isExecutable(program);
    } catch (IOException e) {
      // Most machines have one of them, or none.
      return false;
    }
  }

  /** Runs it once. */
  PretouchSample run(String method, long sizeBytes, int threadCount, boolean hugePages)
      throws IOException, InterruptedException, ChildFailedException {
    String details =
        "method=%s, sizeBytes=%d, threads=%d, hugePages=%s"
            .formatted(method, sizeBytes, threadCount, hugePages);
    ProcessBuilder builder =
        new ProcessBuilder(
            "" + program, method, "" + sizeBytes, "" + threadCount, hugePages ? "1" : "0");
    return Child.run("program in C", details, builder, PretouchSample.class, _ -> {});
  }

  /** Where it is. */
  Path path() {
    return program;
  }

  @Override
  public void close() {
    folder.close();
  }
}
