package dev.arenal.lab.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The value of {@code --jvm}, taken apart: a path and, behind it, flags.
 *
 * @param path the home of a JDK or its java command
 * @param flags options of the JVM
 */
record JvmArgument(String path, List<String> flags) {
  private static final String EXPECTED =
      " (expected the home of a JDK or its java command, and flags behind it, such as --jvm"
          + " 'PATH -XX:+UseG1GC')";

  /** Splits at spaces that are not quoted; a value that is a path as it stands stays whole. */
  static JvmArgument parse(String value) throws IOException {
    if (!value.isBlank() && Files.exists(Path.of(value))) {
      return new JvmArgument(value, List.of());
    }
    List<String> words = split(value);
    if (words.isEmpty() || words.getFirst().isEmpty()) {
      throw new IOException("no JVM is named: jvm=" + value + EXPECTED);
    }
    List<String> flags = words.subList(1, words.size());
    for (String flag : flags) {
      if (!flag.startsWith("-")) {
        throw new IOException(
            ("not an option of a JVM: option=%s, jvm=%s (expected words that begin with a"
                    + " dash behind the path; a path with spaces goes into quotes)")
                .formatted(flag, value));
      }
    }
    return new JvmArgument(words.getFirst(), List.copyOf(flags));
  }

  /** The java command that is meant. */
  Path launcher() throws IOException {
    Path given = Path.of(path);
    if (!Files.exists(given)) {
      throw new IOException("no such JVM: path=" + path + EXPECTED);
    }
    Path launcher = Files.isDirectory(given) ? given.resolve("bin").resolve("java") : given;
    if (!Files.isExecutable(launcher) || Files.isDirectory(launcher)) {
      throw new IOException(
          "not a JVM: path=" + path + ", missing=" + launcher + " as a program" + EXPECTED);
    }
    return launcher;
  }

  private static List<String> split(String value) throws IOException {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean isInWord = false;
    char quote = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
        isInWord = true;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (isInWord) {
          words.add(word.toString());
        }
        word.setLength(0);
        isInWord = false;
      } else {
        word.append(c);
        isInWord = true;
      }
    }
    if (quote != 0) {
      throw new IOException(
          "quotation mark without its end: jvm=" + value + " (expected a second " + quote + ")");
    }
    if (isInWord) {
      words.add(word.toString());
    }
    return words;
  }
}
