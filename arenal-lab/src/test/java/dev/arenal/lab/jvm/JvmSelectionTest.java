package dev.arenal.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which JVMs are found on a machine, and what they are called. */
final class JvmSelectionTest {
  @TempDir Path folder;

  @Test
  void usualPlaces_areLookedAt() throws IOException {
    Path home = folder.resolve("home");
    Path running = Scripts.jdk(folder.resolve("running"), "25.0.1+8", "exit 0");
    Scripts.jdk(home.resolve(".sdkman/candidates/java/21.0.4-tem"), "21.0.4", "exit 0");
    Scripts.jdk(home.resolve(".asdf/installs/java/temurin-19"), "19.0.2", "exit 0");
    Scripts.jdk(home.resolve("Library/Java/JavaVirtualMachines/x/Contents/Home"), "20", "exit 0");
    Path chained = Scripts.jdk(folder.resolve("chained"), "18.0.1", "exit 0");
    Files.createDirectories(home.resolve(".m2"));
    Files.writeString(
        home.resolve(".m2/toolchains.xml"), "<a><jdkHome>\n  " + chained + "\n</jdkHome></a>");
    Path javaHome = Scripts.jdk(folder.resolve("set"), "22.0.1", "exit 0");
    Path onPath = Scripts.jdk(folder.resolve("path"), "23.0.1", "exit 0");
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("java"), onPath.resolve("bin/java"));
    Map<String, String> environment =
        Map.of("HOME", home.toString(), "JAVA_HOME", javaHome.toString(), "PATH", bin.toString());

    // The machine of the test has folders of its own, which may add versions.
    assertThat(new JvmFinder(environment, running).find())
        .extracting(spec -> spec.feature())
        .contains(18, 19, 20, 21, 22, 23, 25)
        .isSorted();
  }

  @Test
  void ofEachVersion_theNewestIsTaken() throws IOException {
    Path jdks = folder.resolve("jdks");
    Scripts.jdk(jdks.resolve("a"), "17.0.9+9", "exit 0");
    Path newest = Scripts.jdk(jdks.resolve("b"), "17.0.15+6-Debian", "exit 0");
    Scripts.jdk(jdks.resolve("c"), "17.0.2+8", "exit 0");
    Scripts.jdk(jdks.resolve("d"), "21+35", "exit 0");
    Path later = Scripts.jdk(jdks.resolve("e"), "21.0.1+12", "exit 0");

    assertThat(find(jdks))
        .extracting(JvmSpec::launcher)
        .containsExactly(newest.resolve("bin/java"), later.resolve("bin/java"));
  }

  @Test
  void linksToOneJvm_areAskedOnce() throws IOException {
    Path jdks = folder.resolve("jdks");
    Path asked = folder.resolve("asked");
    Path jdk = Scripts.jdk(jdks.resolve("a"), "17.0.9+9", "exit 0");
    Path launcher = jdk.resolve("bin/java");
    Files.writeString(
        launcher, Files.readString(launcher).replace("#!/bin/sh", "#!/bin/sh\necho x >>" + asked));
    Files.createSymbolicLink(jdks.resolve("b"), jdk);
    Files.createSymbolicLink(jdks.resolve("current"), jdk);

    assertThat(find(jdks)).hasSize(1);
    assertThat(asked).hasContent("x\n");
  }

  @Test
  void whatIsNoJvmForTheLab_isPassedOver() throws IOException {
    Path jdks = folder.resolve("jdks");
    Scripts.jdk(jdks.resolve("old"), "8.0.392", "exit 0");
    Scripts.jdk(jdks.resolve("other"), "17.0.1", "Eclipse OpenJ9 VM", "exit 0");
    Scripts.create(jdks.resolve("broken/bin/java"), "exit 1");
    Files.createDirectories(jdks.resolve("empty"));

    assertThat(find(jdks)).isEmpty();
  }

  @Test
  void labels_areShortButNeverTheSame() {
    assertThat(
            JvmSelection.labelled(
                    List.of(
                        spec("11.0.13+8", 11),
                        spec("17.0.9+9", 17),
                        spec("17.0.15+6", 17),
                        spec("25.0.3+9", 25),
                        spec("25.0.3+9", 25, "-XX:+UseG1GC", "-Xint"),
                        spec("25.0.3+9", 25, "-XX:+UseG1GC", "-Xint")))
                .stream()
                .map(JvmSpec::label))
        .containsExactly(
            "JDK 11 (stock)",
            "JDK 17.0.9+9",
            "JDK 17.0.15+6",
            "JDK 25",
            "JDK 25.0.3+9 +UseG1GC -Xint",
            "JDK 25.0.3+9 +UseG1GC -Xint #2");
  }

  @Test
  void stock_isPutInFrontUnlessThereIsOne() throws IOException {
    Path stock = Scripts.jdk(folder.resolve("stock"), "11.0.13+8", "exit 0").resolve("bin/java");
    List<JvmSpec> elastic = List.of(spec("25.0.3+9", 25));
    assertThat(JvmSelection.withStock(stock, elastic))
        .extracting(JvmSpec::label)
        .containsExactly("JDK 11 (stock)", "JDK 25");

    List<JvmSpec> both = List.of(spec("11.0.20", 11), spec("25.0.3+9", 25));
    assertThat(JvmSelection.withStock(stock, both)).isSameAs(both);

    List<JvmSpec> withFlags = List.of(spec("11.0.20", 11, "-Xint"));
    assertThat(JvmSelection.withStock(stock, withFlags)).hasSize(2);
  }

  private List<JvmSpec> find(Path jdks) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ARENAL_JDK_FOLDERS", jdks.toString());
    return new JvmFinder(environment, folder.resolve("nowhere")).find();
  }

  private static JvmSpec spec(String version, int feature, String... flags) {
    return new JvmSpec("", Path.of("java"), version, feature, List.of(flags));
  }
}
