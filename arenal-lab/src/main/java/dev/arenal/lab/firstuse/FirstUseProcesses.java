package dev.arenal.lab.firstuse;

import dev.arenal.lab.firstuse.FirstUsePlan.Variant;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.TemporaryFolder;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subjects in JVMs of this machine, on the class path, as most programs are. The AOT cache is
 * made on the spot, by a JVM that uses all of them.
 */
final class FirstUseProcesses implements FirstUseBench, AutoCloseable {
  /** A JVM that writes a cache takes seconds; one that hangs is ended. */
  private static final long MOST_SECONDS = 120;

  private static final double NANOS_PER_MILLI = 1e6;

  private final TemporaryFolder folder;
  private final List<Path> classPath;
  private final Path cache;
  private final Path result;

  private FirstUseProcesses(TemporaryFolder folder, List<Path> classPath) {
    this.folder = folder;
    this.classPath = List.copyOf(classPath);
    this.cache = folder.file("first-use.aot");
    this.result = folder.file("result");
  }

  /** With the code of this class path. */
  static FirstUseProcesses open(List<Path> classPath) throws IOException {
    return new FirstUseProcesses(TemporaryFolder.create("arenal-lab"), classPath);
  }

  @Override
  public @Nullable String makeAotCache() throws IOException, InterruptedException {
    for (Path entry : classPath) {
      if (Files.isDirectory(entry)) {
        return "it takes jars, and here are classes in a folder: path=" + entry;
      }
    }
    Program.End end =
        Program.run(java(List.of("-XX:AOTCacheOutput=" + cache), FirstUseChild.ALL), MOST_SECONDS);
    return end.isGood() && Files.exists(cache)
        ? null
        : "the JVM has not made it: exitCode=%d%s".formatted(end.exitCode(), end.lastLines());
  }

  @Override
  public FirstUseSample run(Variant variant)
      throws IOException, InterruptedException, ChildFailedException {
    // One that cannot be used is an error here, and not a cache that is quietly left out.
    List<String> flags =
        variant.hasAotCache() ? List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on") : List.of();
    Files.deleteIfExists(result);
    long startNanos = System.nanoTime();
    Program.End end = Program.run(java(flags, variant.subject().label()), MOST_SECONDS);
    double processMillis = (System.nanoTime() - startNanos) / NANOS_PER_MILLI;
    if (!end.isGood()) {
      throw new ChildFailedException(
          "first use died: subject=%s, exitCode=%d%s"
              .formatted(variant.label(), end.exitCode(), end.lastLines()));
    }
    Written written = Json.readWhole(result, Written.class);
    return new FirstUseSample(written.nanos() / NANOS_PER_MILLI, processMillis);
  }

  /** The figures that the child writes. */
  record Written(long nanos) {}

  private ProcessBuilder java(List<String> flags, String subject) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(OurProgram.word(classPath));
    command.add(FirstUseChild.class.getName());
    command.add(subject);
    command.add(result.toString());
    return Program.java(command);
  }

  @Override
  public void close() {
    folder.close();
  }
}
