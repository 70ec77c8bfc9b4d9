package dev.arenal.lab.record;

import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command line of the java launcher, taken apart at the place where the program begins.
 *
 * @param launcher the java command
 * @param options everything between it and the program, argument files expanded
 * @param program main class, {@code -jar} or {@code -m}, and what follows
 */
record JavaCommand(Path launcher, List<String> options, List<String> program) {
  private static final Set<String> OPTIONS_WITH_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--limit-modules",
          "--add-exports",
          "--add-opens",
          "--add-reads",
          "--patch-module",
          "--enable-native-access",
          "--describe-module",
          "-d",
          "--source");

  JavaCommand {
    options = List.copyOf(options);
    program = List.copyOf(program);
  }

  /**
   * Takes a command apart and refuses one that cannot be recorded.
   *
   * @param words the command as the user gave it
   * @param environment the variables it will run with
   */
  static JavaCommand parse(List<String> words, Map<String, String> environment)
      throws RecordException {
    Path launcher = findLauncher(words.getFirst(), environment.getOrDefault("PATH", ""));
    List<String> rest = expand(words.subList(1, words.size()));
    int program = indexOfProgram(rest);
    JavaCommand command =
        new JavaCommand(launcher, rest.subList(0, program), rest.subList(program, rest.size()));
    command.refuseLossyLogging(environment);
    return command;
  }

  /** The command with one more option of the JVM, behind all others: the last word counts. */
  List<String> withOption(String option) {
    List<String> words = new ArrayList<>();
    words.add(launcher.toString());
    words.addAll(options);
    words.add(option);
    words.addAll(program);
    return words;
  }

  /** The program without folders and endings, fit to be the name of a file. */
  String programName() {
    boolean isNamedByOption =
        program.size() > 1 && Set.of("-jar", "-m", "--module").contains(program.getFirst());
    String word = program.isEmpty() ? "" : program.get(isNamedByOption ? 1 : 0);
    String name =
        word.replaceFirst("^--module=", "")
            .replaceFirst("^.*/", "")
            .replaceFirst("\\.(jar|java)$", "")
            .replaceAll("[^A-Za-z0-9._-]", "_");
    return name.matches("[A-Za-z0-9_].*") ? name : "program";
  }

  private static Path findLauncher(String word, String searchPath) throws RecordException {
    Path given = Path.of(word);
    Path name = given.getFileName();
    if (name == null || !name.toString().equals("java")) {
      throw new RecordException(
          "not a java command: command="
              + word
              + " (expected java or a path that ends in /java; for a script, give the java command"
              + " line that it runs)");
    }
    if (given.getNameCount() > 1 || given.isAbsolute()) {
      if (!Files.isExecutable(given) || Files.isDirectory(given)) {
        throw new RecordException("no such program: command=" + word);
      }
      return given;
    }
    return SearchPath.find("java", searchPath)
        .orElseThrow(() -> new RecordException("no java in the search path: PATH=" + searchPath));
  }

  /**
   * Replaces argument files as the launcher does: up to the program, not in its arguments. The
   * launcher reads the result once more, so a word that only looks like an argument file stays
   * marked as such.
   */
  private static List<String> expand(List<String> words) throws RecordException {
    List<String> expanded = new ArrayList<>();
    for (String word : words) {
      if (!isExpandedBehind(expanded) || !word.startsWith("@") || word.startsWith("@@")) {
        expanded.add(word);
        continue;
      }
      for (String read : readArgumentFile(word)) { // whose words name no other file
        boolean isMarked = read.startsWith("@") && isExpandedBehind(expanded);
        expanded.add(isMarked ? "@" + read : read);
      }
    }
    return expanded;
  }

  /** Whether the launcher would take a word behind these for an argument file. */
  private static boolean isExpandedBehind(List<String> words) {
    return indexOfProgram(words) == words.size() && !words.contains("--disable-@files");
  }

  private static List<String> readArgumentFile(String word) throws RecordException {
    try {
      return ArgumentFile.read(Path.of(word.substring(1)));
    } catch (IOException e) {
      throw new RecordException("cannot read argument file: argument=" + word, e);
    }
  }

  /** Finds where the program begins; the number of words if they name none. */
  private static int indexOfProgram(List<String> words) {
    int i = 0;
    while (i < words.size()) {
      String word = words.get(i);
      if (!word.startsWith("-") || isProgramOption(word)) {
        return i;
      }
      i += OPTIONS_WITH_VALUE.contains(word) ? 2 : 1;
    }
    return words.size();
  }

  private static boolean isProgramOption(String word) {
    return switch (word) {
      case "-jar",
          "-m",
          "--module",
          "-version",
          "--version",
          "-fullversion",
          "--full-version",
          "-help",
          "--help",
          "-h",
          "-?",
          "-X",
          "--help-extra",
          "--list-modules" ->
          true;
      default -> word.startsWith("--module=");
    };
  }

  /** An asynchronous log drops lines when it is full; a disabled one has none. */
  private void refuseLossyLogging(Map<String, String> environment) throws RecordException {
    for (String option : options) {
      refuseLossy(option, null);
    }
    for (String variable : Program.OPTION_VARIABLES) {
      for (String option : environment.getOrDefault(variable, "").trim().split("\\s+", -1)) {
        refuseLossy(option, variable);
      }
    }
  }

  private static void refuseLossy(String option, @Nullable String variable) throws RecordException {
    boolean isDropping = option.equals("-Xlog:async") || option.equals("-Xlog:async:drop");
    // The JVM reads this variable after the command line, and so after our option.
    boolean isDisabling = option.equals("-Xlog:disable") && "_JAVA_OPTIONS".equals(variable);
    if (isDropping || isDisabling) {
      throw new RecordException(
          "option would lose what is to be recorded: option="
              + option
              + (variable == null ? "" : ", variable=" + variable)
              + (isDropping
                  ? " (leave it out, or use -Xlog:async:stall where the JVM has it)"
                  : " (leave it out, or put it on the command line)"));
    }
  }
}
