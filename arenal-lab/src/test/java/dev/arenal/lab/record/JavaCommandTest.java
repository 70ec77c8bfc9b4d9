package dev.arenal.lab.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JavaCommandTest {
  @TempDir Path temp;
  private String java = "";

  @BeforeEach
  void createLauncher() throws IOException {
    Path launcher = Files.createDirectories(temp.resolve("jdk/bin")).resolve("java");
    Files.writeString(launcher, "");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    java = launcher.toString();
  }

  /** A bar stands where our option goes. */
  @ParameterizedTest
  @CsvSource({
    "Main a b, | Main a b",
    "-cp x Main -cp y, -cp x | Main -cp y",
    "-Xlog:disable -jar app.jar -Xlog:disable, -Xlog:disable | -jar app.jar -Xlog:disable",
    "--module-path p --add-modules m -m a/b c, --module-path p --add-modules m | -m a/b c",
    "--module-path=p --module=a/b, --module-path=p | --module=a/b",
    "-version, | -version",
    "-Xmx1g --source 25 A.java @x, -Xmx1g --source 25 | A.java @x",
    "--disable-@files @f, --disable-@files | @f",
    "@@f Main, | @@f Main",
    "-cp @@f Main, -cp @@f | Main",
    "-Xint, -Xint |"
  })
  void option_goesBehindAllOthersOfTheJvm(String given, String expected) throws Exception {
    JavaCommand command = JavaCommand.parse(words(given), Map.of());
    assertThat(String.join(" ", command.withOption("|")).substring(java.length() + 1))
        .isEqualTo(expected);
  }

  @Test
  void argumentFile_isReadAsTheLauncherDoes() throws Exception {
    Path file = temp.resolve("options");
    Files.writeString(
        file,
        """
        # JVM
        -cp "a b\\tc"  -Da='x "y"'   # not a comment's end
        "-Db=one \\
            two" Main @kept
        """);
    assertThat(JavaCommand.parse(words("@" + file + " @last"), Map.of()).withOption("|"))
        .containsExactly(
            java, "-cp", "a b\tc", "-Da=x \"y\"", "-Db=one two", "|", "Main", "@kept", "@last");
  }

  /** The launcher does not look for files in a file, but it would in the words of one. */
  @Test
  void wordOfAnArgumentFile_namesNoOther() throws Exception {
    Path file = Files.writeString(temp.resolve("options"), "-cp @lib -p @@mods");
    assertThat(JavaCommand.parse(words("@" + file + " Main"), Map.of()).withOption("|"))
        .containsExactly(java, "-cp", "@@lib", "-p", "@@@mods", "|", "Main");
    Path disabling = Files.writeString(temp.resolve("more"), "-cp @lib --disable-@files -p @m");
    assertThat(JavaCommand.parse(words("@" + disabling + " @Main"), Map.of()).withOption("|"))
        .containsExactly(java, "-cp", "@@lib", "--disable-@files", "-p", "@m", "|", "@Main");
  }

  @Test
  void launcher_isFoundInTheSearchPath() throws Exception {
    String path = temp + ":" + Path.of(java).getParent();
    assertThat(JavaCommand.parse(List.of("java", "Main"), Map.of("PATH", path)).launcher())
        .isEqualTo(Path.of(java));
    assertRefused(
        "no java in the search path: PATH=" + temp, Map.of("PATH", temp.toString()), "java");
  }

  @Test
  void otherCommands_areRefused() {
    assertRefused(
        "not a java command: command=mvn (expected java or a path that ends in /java; for a"
            + " script, give the java command line that it runs)",
        Map.of(),
        "mvn",
        "verify");
    assertRefused("no such program: command=nowhere/java", Map.of(), "nowhere/java");
    assertRefused("cannot read argument file: argument=@nowhere", Map.of(), java, "@nowhere");
  }

  @Test
  void lossyLogging_isRefused() {
    assertRefused(
        "option would lose what is to be recorded: option=-Xlog:async (leave it out, or use"
            + " -Xlog:async:stall where the JVM has it)",
        Map.of(),
        java,
        "-Xlog:async",
        "Main");
    assertRefused(
        "option would lose what is to be recorded: option=-Xlog:async,"
            + " variable=JAVA_TOOL_OPTIONS (leave it out, or use -Xlog:async:stall where the JVM"
            + " has it)",
        Map.of("JAVA_TOOL_OPTIONS", "-Da=b -Xlog:async"),
        java,
        "Main");
    assertRefused(
        "option would lose what is to be recorded: option=-Xlog:disable, variable=_JAVA_OPTIONS"
            + " (leave it out, or put it on the command line)",
        Map.of("_JAVA_OPTIONS", "-Xlog:disable"),
        java,
        "Main");
  }

  private List<String> words(String line) {
    List<String> words = new ArrayList<>();
    words.add(java);
    words.addAll(List.of(line.split(" ", -1)));
    return words;
  }

  private static void assertRefused(
      String message, Map<String, String> environment, String... words) {
    assertThatThrownBy(() -> JavaCommand.parse(List.of(words), environment))
        .isInstanceOf(RecordException.class)
        .hasMessage(message);
  }
}
