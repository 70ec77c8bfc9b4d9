package dev.arenal.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arguments of {@code --jvm}, and the JVMs that they mean. */
final class JvmArgumentTest {
  private static final String EXPECTED =
      " (expected the home of a JDK or its java command, and flags behind it, such as --jvm 'PATH"
          + " -XX:+UseG1GC')";

  @TempDir Path folder;

  @Test
  void flags_standBehindThePathAndMayBeQuoted() throws IOException {
    assertThat(JvmArgument.parse("/a/jdk  -XX:+UseG1GC '-Da=b c' -Dd=\"e f\""))
        .isEqualTo(new JvmArgument("/a/jdk", List.of("-XX:+UseG1GC", "-Da=b c", "-Dd=e f")));
    assertThat(JvmArgument.parse("'/a b/jdk' -Xint"))
        .isEqualTo(new JvmArgument("/a b/jdk", List.of("-Xint")));
  }

  @Test
  void existingPathWithSpaces_needsNoQuotes() throws IOException {
    Path home = Scripts.jdk(folder.resolve("my jdk"), "17.0.1", "exit 0");
    assertThat(JvmArgument.parse(home.toString()))
        .isEqualTo(new JvmArgument(home.toString(), List.of()));
    Path launcher = home.resolve("bin").resolve("java");
    assertThat(JvmArgument.parse(home.toString()).launcher()).isEqualTo(launcher);
    assertThat(JvmArgument.parse(launcher.toString()).launcher()).isEqualTo(launcher);
  }

  @Test
  void wordsThatAreNoPathOrNoFlag_areRefused() {
    assertRefused("no JVM is named: jvm= " + EXPECTED, " ");
    assertRefused("no JVM is named: jvm=''" + EXPECTED, "''");
    assertRefused(
        "quotation mark without its end: jvm=/jdk '-Da (expected a second ')", "/jdk '-Da");
    assertRefused(
        "not an option of a JVM: option=UseG1GC, jvm=/jdk UseG1GC (expected words that begin with"
            + " a dash behind the path; a path with spaces goes into quotes)",
        "/jdk UseG1GC");
  }

  @Test
  void pathsThatAreNoJvm_areRefused() throws IOException {
    Path nowhere = folder.resolve("nowhere");
    assertRefused("no such JVM: path=" + nowhere + EXPECTED, nowhere.toString());
    assertRefused(
        "not a JVM: path="
            + folder
            + ", missing="
            + folder.resolve("bin").resolve("java")
            + " as a program"
            + EXPECTED,
        folder.toString());
    Path text = Files.writeString(folder.resolve("text"), "text");
    assertRefused(
        "not a JVM: path=" + text + ", missing=" + text + " as a program" + EXPECTED,
        text.toString());
    Path echo = Scripts.create(folder.resolve("echo"), "echo \"$*\"");
    assertRefused(
        "not a java launcher: command="
            + echo
            + " (expected -XshowSettings:properties -version to show its version)",
        echo.toString());
  }

  @Test
  void jvmsOfOtherKinds_areRefused() throws IOException {
    Path old = Scripts.jdk(folder.resolve("old"), "8.0.392", "exit 0");
    assertRefused(
        "this JVM cannot be compared: version=8.0.392, vm=OpenJDK 64-Bit Server VM, command="
            + old
            + "/bin/java (expected a HotSpot JVM of Java 11 or later)",
        old.toString());
    Path other = Scripts.jdk(folder.resolve("other"), "17.0.1", "Eclipse OpenJ9 VM", "exit 0");
    assertRefused(
        "this JVM cannot be compared: version=17.0.1, vm=Eclipse OpenJ9 VM, command="
            + other
            + "/bin/java (expected a HotSpot JVM of Java 11 or later)",
        other.toString());
  }

  @Test
  void oneThatIsNoJvm_isRefusedWithAllOthers() throws IOException {
    Path started = folder.resolve("started");
    Path good = Scripts.jdk(folder.resolve("good"), "17.0.1", "touch '" + started + "'");
    assertThatThrownBy(
            () -> JvmSelection.given(List.of(good.toString(), folder.resolve("no").toString())))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("no such JVM: path=");
    assertThat(started).doesNotExist();
  }

  private static void assertRefused(String message, String argument) {
    assertThatThrownBy(() -> JvmSelection.given(List.of(argument)))
        .isInstanceOf(IOException.class)
        .hasMessage(message);
  }
}
