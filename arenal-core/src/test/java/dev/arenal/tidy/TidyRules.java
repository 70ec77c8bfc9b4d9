package dev.arenal.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules themselves: a file name and its text in, complaints with their remedy out. */
final class TidyRules {
  static final int MAX_LINES_MAIN = 600;
  static final int MAX_LINES_TEST = 800;
  static final int MAX_LINES_METHOD = 70;
  static final int MAX_COLUMNS = 100;

  /** What no file may contain. The patterns are split so that they do not match themselves. */
  private enum Forbidden {
    UNFINISHED_MARK(
        "\\b(?:TO" + "DO|FIX" + "ME)\\b", "finish it now, or open an issue and say its number"),
    PATH_OF_ONE_MACHINE(
        "(?<![\\w.}*])/(?:(?:home|Users)/\\w|root/|work/|usr/lib/jvm/)|\\b[A-Z]:\\\\Users\\b",
        "ask the system for it: user.home, a temporary folder, a JDK that is looked for"),
    HOST_OF_A_REGISTRY(
        "https?://(?:repo|registry|files|deb|static|index|proxy|packages)[0-9]*\\.",
        "leave it out: the reader's own settings name the registry");

    private final Pattern pattern;
    private final String remedy;

    Forbidden(String regex, String remedy) {
      this.pattern = Pattern.compile(regex);
      this.remedy = remedy;
    }

    String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private TidyRules() {}

  /** What is wrong with one file; {@code path} is relative, with slashes. */
  static List<String> complaints(String path, String text) {
    List<String> complaints = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int index = 0; index < lines.size(); index++) {
      checkLine(path, index + 1, lines.get(index), complaints);
    }
    if (path.endsWith(".java")) {
      checkJava(path, text, lines.size(), complaints);
    }
    return complaints;
  }

  private static void checkLine(String path, int number, String line, List<String> complaints) {
    String place = path + ":" + number + ": ";
    if (line.indexOf('\t') >= 0) {
      complaints.add(place + "tab (use spaces)");
    }
    int countColumns = line.codePointCount(0, line.length());
    if (countColumns > MAX_COLUMNS && isCode(path) && !line.startsWith("import ")) {
      complaints.add(
          "%sline too long: columns=%d (at most %d; break it, or mvn -N -q -Pformat validate)"
              .formatted(place, countColumns, MAX_COLUMNS));
    }
    for (Forbidden forbidden : Forbidden.values()) {
      Matcher matcher = forbidden.pattern.matcher(line);
      if (matcher.find()) {
        complaints.add(
            "%s%s: text=%s (%s)"
                .formatted(place, forbidden.title(), matcher.group(), forbidden.remedy));
      }
    }
  }

  /** Its frame is to be large, and so it has many locals. */
  private static boolean isLongOnPurpose(String path, JavaMethods.Method method) {
    return path.endsWith("/guard/StackReserve.java") && method.name().equals("descend");
  }

  private static void checkJava(String path, String text, int countLines, List<String> complaints) {
    int maxLines = path.contains("src/test/") ? MAX_LINES_TEST : MAX_LINES_MAIN;
    if (countLines > maxLines) {
      complaints.add(
          "%s: file too long: lines=%d (at most %d; move its second concept to a file of its own)"
              .formatted(path, countLines, maxLines));
    }
    for (JavaMethods.Method method : JavaMethods.of(text)) {
      if (method.countLines() > MAX_LINES_METHOD && !isLongOnPurpose(path, method)) {
        complaints.add(
            "%s:%d: method too long: name=%s, lines=%d (at most %d; extract what has a name)"
                .formatted(
                    path, method.line(), method.name(), method.countLines(), MAX_LINES_METHOD));
      }
    }
  }

  /** Java and shell; prose and data break their lines as they like. */
  private static boolean isCode(String path) {
    return path.endsWith(".java")
        || path.endsWith(".sh")
        || path.equals("arenal")
        || path.equals(".ci/run");
  }
}
