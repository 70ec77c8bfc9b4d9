package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a report: all of them, or none and a word about why. */
final class ReportFolderTest {
  private static final String WHAT_TO_DO =
      " (expected a folder that can be written to and room for a few MiB; free some or choose"
          + " another place)";

  @TempDir Path folder;

  @Test
  void eachSection_hasAFile() throws IOException {
    List<Section> sections = SampleReport.sections();
    ReportFolder.write(folder.resolve("new/report"), sections);

    assertThat(names(folder.resolve("new/report")))
        .containsExactlyInAnyOrder(
            "results.json",
            "jvm.json",
            "confined.json",
            "buffers.json",
            "medium.json",
            "pretouch.json",
            "env.json",
            "report.html");
    assertThat(Files.readString(folder.resolve("new/report/jvm.json")))
        .isEqualTo(
            """
            {
              "jvms" : [ ]
            }
            """);
    assertThat(ReportFolder.results(sections.reversed()))
        .as("replays first, other objects behind them")
        .startsWith("[ {\n  \"trace\" : \"by-class\"")
        .endsWith("}, {\n  \"jvms\" : [ ]\n} ]\n");
  }

  @Test
  void folderThatIsAFile_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("taken"), "mine");

    assertThatThrownBy(() -> WholeFile.checkFolder(file))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write: file=" + file + ", reason=a file and not a folder" + WHAT_TO_DO);
    assertThat(file).hasContent("mine");
  }

  @Test
  void fileInAFolderThatIsNotThere_isRefused() {
    Path file = folder.resolve("nowhere/x.json");
    String message = "cannot write: file=" + file + ", reason=no such folder" + WHAT_TO_DO;

    assertThatThrownBy(() -> WholeFile.check(file)).hasMessage(message);
    assertThatThrownBy(() -> WholeFile.write(file, "x")).hasMessage(message);
  }

  @Test
  void folderInPlaceOfAFile_isRefused() {
    assertThatThrownBy(() -> WholeFile.check(folder))
        .hasMessage(
            "cannot write: file=" + folder + ", reason=a folder and not a file" + WHAT_TO_DO);
  }

  @Test
  void check_leavesNothingBehind() throws IOException {
    WholeFile.checkFolder(folder);
    WholeFile.check(folder.resolve("x.json"));

    assertThat(names(folder)).isEmpty();
  }

  /** A real process that may not write files of any size: the kernel refuses in the middle. */
  @Test
  void fullDisk_leavesTheOldReportAndNothingElse() throws Exception {
    ReportFolder.write(folder, List.of(section("replay", "old"), section("jvm", "old")));
    Path page = folder.resolve("report.html");
    String before = Files.readString(page);

    Process child =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -f 8 && exec \"$0\" \"$@\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(said)
        .isEqualTo("cannot write: file=" + page + ", reason=File too large" + WHAT_TO_DO + "\n");
    assertThat(child.waitFor()).isEqualTo(1);
    assertThat(names(folder))
        .containsExactlyInAnyOrder("results.json", "jvm.json", "env.json", "report.html");
    assertThat(Files.readString(page)).isEqualTo(before);
    assertThat(folder.resolve("jvm.json")).content().isEqualTo("\"old\"\n");
  }

  /** Writes another report into the folder given, and says why it cannot. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) {
      try {
        ReportFolder.write(
            Path.of(args[0]), List.of(section("replay", "new"), section("jvm", "new")));
      } catch (IOException e) {
        System.out.println(e.getMessage());
        System.exit(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"results", "env", "report", "Replay", "", "a/b", "../x", "environment"})
  void sectionWithANameThatIsNoNameOfAFile_isRefused(String name) {
    assertThatThrownBy(() -> section(name, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            String.format(
                Locale.ROOT,
                "section cannot have this name: name=%s (expected small letters, digits and"
                    + " dashes, and none of [data, env, environment, machine, report, results])",
                name));
  }

  private static Section section(String name, String result) {
    return new Section(
        name,
        "Title",
        "",
        JsonNodeFactory.instance.textNode(result),
        List.of(),
        List.of(),
        List.of());
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
