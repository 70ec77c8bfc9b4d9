package dev.arenal.lab.process;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.heap.HeapUser;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A JVM for one piece of work: the same Java and the same code as this one. */
public final class Child {
  /** Stands for a word of the command line that there is none of. */
  static final String NONE = "-";

  private static final String PREFIX = "arenal-lab";
  private static final String PRELOAD_VARIABLE = "LD_PRELOAD";

  private final String what;
  private final String details;
  private final ProcessBuilder builder = Program.java(List.of());
  private final List<String> flags = new ArrayList<>();
  private @Nullable HeapKind heap;
  private @Nullable Path library;

  /**
   * One that is to be set up.
   *
   * @param what what it does, for the error, such as {@code replay}
   * @param details the same in {@code name=value} pairs
   */
  public Child(String what, String details) {
    this.what = what;
    this.details = details;
  }

  /** Adds flags of the JVM. */
  public Child flags(List<String> words) {
    flags.addAll(words);
    return this;
  }

  /** Its flags of the JVM. */
  public List<String> flags() {
    return List.copyOf(flags);
  }

  /** The variables that it will have. */
  public Map<String, String> environment() {
    return builder.environment();
  }

  /**
   * Lets it measure the heap of an allocator, if that has one.
   *
   * @throws IOException if the heap is not installed
   */
  public Child heap(HeapUser user, HeapLibraries libraries) throws IOException {
    heap = user.heap();
    if (heap != null && heap.isLibrary()) {
      Path path = libraries.require(user);
      library = path;
      if (heap.isPreloaded()) {
        environment().merge(PRELOAD_VARIABLE, "" + path, (users, ours) -> ours + ":" + users);
      }
    }
    return this;
  }

  /**
   * Does the work.
   *
   * @param eachSecond told the seconds that have passed
   */
  public <R> R run(Work<R> work, Class<R> result, LongConsumer eachSecond)
      throws IOException, InterruptedException, ChildFailedException {
    try (TemporaryFolder folder = TemporaryFolder.create(PREFIX)) {
      Path file = folder.write("work", path -> Json.write(path, work));
      List<String> words =
          List.of(
              work.getClass().getName(),
              file.toString(),
              heap == null ? NONE : heap.label(),
              library == null ? NONE : library.toString());
      return run(ChildMain.class, words, result, eachSecond);
    }
  }

  /**
   * Runs another program of this code, for what is to be measured in a process that has done
   * nothing yet: it gets words, and writes its result as JSON into the file named by the last one.
   */
  public <R> R run(Class<?> main, List<String> words, Class<R> result, LongConsumer eachSecond)
      throws IOException, InterruptedException, ChildFailedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:-UsePerfData"); // a file that it could not remove where it is killed
    command.addAll(flags);
    command.addAll(codeFlags(main));
    command.addAll(words);
    return run(what, details, builder.command(command), result, eachSecond);
  }

  /**
   * Runs a program that writes its result, as JSON, into the file named by its last word.
   *
   * @param builder the command without that last word
   */
  public static <R> R run(
      String what, String details, ProcessBuilder builder, Class<R> result, LongConsumer eachSecond)
      throws IOException, InterruptedException, ChildFailedException {
    try (TemporaryFolder folder = TemporaryFolder.create(PREFIX)) {
      Path file = folder.file("result");
      List<String> command = new ArrayList<>(builder.command());
      command.add(file.toString());
      Program.End end = Program.run(builder.command(command), Long.MAX_VALUE, eachSecond);
      if (!end.isGood()) {
        throw new ChildFailedException(
            "%s died: %s, exitCode=%d%s".formatted(what, details, end.exitCode(), end.lastLines()));
      }
      return Json.readWhole(file, result);
    }
  }

  private static List<String> codeFlags(Class<?> main) {
    Module module = main.getModule();
    if (module.isNamed()) {
      return List.of(
          "--enable-native-access=dev.arenal," + module.getName(),
          "--module-path",
          System.getProperty("jdk.module.path"),
          "--module",
          module.getName() + "/" + main.getName());
    }
    return List.of(
        "--enable-native-access=ALL-UNNAMED",
        "--class-path",
        System.getProperty("java.class.path"),
        main.getName());
  }
}
