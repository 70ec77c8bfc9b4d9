package dev.arenal.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule sees its fault, names the remedy, and leaves the neighbouring case alone. */
final class TidyRulesTest {
  private static final String MAIN = "m/src/main/java/A.java";
  private static final String TEST = "m/src/test/java/A.java";

  @Test
  void fileLength_dependsOnKind() {
    assertThat(TidyRules.complaints(MAIN, "\n".repeat(600))).isEmpty();
    assertThat(TidyRules.complaints(TEST, "\n".repeat(800))).isEmpty();
    assertThat(TidyRules.complaints("docs/a.md", "\n".repeat(2000))).isEmpty();
    assertThat(TidyRules.complaints(MAIN, "\n".repeat(601)))
        .containsExactly(
            MAIN
                + ": file too long: lines=601"
                + " (at most 600; move its second concept to a file of its own)");
    assertThat(TidyRules.complaints(TEST, "\n".repeat(801)))
        .containsExactly(
            TEST
                + ": file too long: lines=801"
                + " (at most 800; move its second concept to a file of its own)");
  }

  @Test
  void methodLength_countsFromSignatureToBrace() {
    assertThat(TidyRules.complaints(MAIN, classWithMethod(68))).isEmpty();
    assertThat(TidyRules.complaints(MAIN, classWithMethod(69)))
        .containsExactly(
            MAIN
                + ":2: method too long: name=m, lines=71"
                + " (at most 70; extract what has a name)");
  }

  @Test
  void methodLength_isSeenInRecordsAndLocalClasses() {
    String text =
        "record R(int i) {\n  Object f() { return new Object() {\n"
            + classWithMethod(100).substring("class A {\n".length())
            + ";}\n}\n";
    assertThat(JavaMethods.of(text)).extracting(JavaMethods.Method::name).containsExactly("f", "m");
  }

  @Test
  void columns_areCountedInCodeOnly() {
    String text = "//" + "x".repeat(99);
    assertThat(TidyRules.complaints(MAIN, text.substring(1))).isEmpty();
    assertThat(TidyRules.complaints("README.md", text)).isEmpty();
    assertThat(TidyRules.complaints(MAIN, text))
        .containsExactly(
            MAIN
                + ":1: line too long: columns=101"
                + " (at most 100; break it, or mvn -N -q -Pformat validate)");
  }

  @Test
  void tabs_areRefusedEverywhere() {
    assertThat(TidyRules.complaints("pom.xml", "<a>\n\t<b/>"))
        .containsExactly("pom.xml:2: tab (use spaces)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TO" + "DO", "FIX" + "ME"})
  void unfinishedMarks_areRefused(String mark) {
    assertThat(TidyRules.complaints("a.md", "done\n" + mark + ": later"))
        .containsExactly(
            "a.md:2: unfinished mark: text="
                + mark
                + " (finish it now, or open an issue and say its number)");
    assertThat(TidyRules.complaints("a.md", mark + "S")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/home" + "/a", "/Users" + "/a", "/root" + "/", "/usr/lib" + "/jvm/"})
  void pathsOfOneMachine_areRefused(String path) {
    assertThat(TidyRules.complaints("a.md", "see " + path))
        .containsExactly(
            "a.md:1: path of one machine: text="
                + path
                + " (ask the system for it: user.home, a temporary folder,"
                + " a JDK that is looked for)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://example.com/home/a", "target/home/a", "$HOME/src/a", "/rooted"})
  void pathsElsewhere_areLeftAlone(String text) {
    assertThat(TidyRules.complaints("a.md", text)).isEmpty();
  }

  @Test
  void hostsOfRegistries_areRefused() {
    assertThat(TidyRules.complaints("a.md", "https://repo" + "1.example.org/x"))
        .containsExactly(
            "a.md:1: host of a registry: text=https://repo"
                + "1. (leave it out: the reader's own settings name the registry)");
  }

  private static String classWithMethod(int countBodyLines) {
    return "class A {\n  void m() {\n" + "    run();\n".repeat(countBodyLines) + "  }\n}\n";
  }
}
