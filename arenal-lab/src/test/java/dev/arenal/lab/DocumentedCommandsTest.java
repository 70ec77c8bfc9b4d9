package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Commands that documents tell a reader to type: each of them stands in {@code .ci/commands} with a
 * short form of it that CI runs, or with the reason why not; those of the lab are understood.
 */
final class DocumentedCommandsTest {
  private static final Pattern COMMAND =
      Pattern.compile(
          "([A-Z_]+=(\"[^\"]*\"|\\S+)"
              + " )*(mvn|\\./arenal|docs/benchmarks/|docs/site/|build-tools/).*");

  /** A comment, or what stands beside the command in a column. */
  private static final Pattern REMARK = Pattern.compile("\\s+#.*|\\s{2,}.*");

  private static final Pattern FIRST_CELL = Pattern.compile("\\| `([^`]+)` \\|.*");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final String LAB = "./arenal ";
  private static final String BY = "by ";

  @Test
  void everyDocumentedCommand_isListedWithItsShortForm() throws IOException {
    assertThat(new TreeSet<>(listed().keySet()))
        .as("the commands of .ci/commands, beside those of the documents")
        .isEqualTo(documented());
    for (Map.Entry<String, String> entry : listed().entrySet()) {
      String form = entry.getValue();
      assertThat(form).as(entry.getKey()).isNotBlank();
      if (form.startsWith(BY)) {
        assertThat(isThere(form.substring(BY.length()))).as(entry + " is there").isTrue();
      }
    }
  }

  @Test
  void everyTopicOfTheBenchmarks_isMeasuredOrCanBe() throws IOException {
    String readme = Files.readString(Documents.root().resolve("docs/benchmarks/README.md"));
    int begin = readme.indexOf("\n| topic | ");
    String table = readme.substring(begin, readme.indexOf("\n\n", begin));
    List<String> topics =
        Pattern.compile("\n\\| \\[?`([a-z-]+)`")
            .matcher(table)
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(topics).contains("replay", "buffers", "owner-allocation").hasSizeGreaterThan(10);
    String form = listed().getOrDefault("docs/benchmarks/measure TOPIC...", "");
    List<String> words = List.of(form.split(" ", -1));
    // The first has no form that is shorter than its part of the lab, the second a script of its
    // own, the third heaps that no distribution has.
    List<String> others = List.of("confined", "spark", "replay-newer-heaps");
    assertThat(words)
        .containsAll(topics.stream().filter(topic -> !others.contains(topic)).toList());
  }

  @Test
  void everyDocumentedCommandOfTheLab_isUnderstood() throws IOException {
    Set<String> commands = documented();
    List<String> ofTheLab = commands.stream().filter(line -> line.startsWith(LAB)).toList();
    assertThat(ofTheLab).hasSizeGreaterThan(20);
    for (String command : ofTheLab) {
      assertThatCode(() -> parse(command)).as(command).doesNotThrowAnyException();
    }
  }

  @Test
  void extraction_knowsEachWayToWriteACommand() {
    List<String> lines =
        List.of(
            "Text with `./arenal lab` in it.",
            "```sh",
            "./arenal burst --quick   # a first look",
            "CHURN_ARGS=--quick docs/benchmarks/measure churn",
            "```",
            "    mvn -B \\",
            "        verify",
            "    ./arenal jvm            all JVMs",
            "| `mvn -N validate` | formats |");

    assertThat(commands(lines))
        .containsExactly(
            "./arenal burst --quick",
            "CHURN_ARGS=--quick docs/benchmarks/measure churn",
            "mvn -B verify",
            "./arenal jvm",
            "mvn -N validate");
  }

  private static void parse(String command) {
    String beforePipe = command.replaceFirst(" \\| .*", "").substring(LAB.length());
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(beforePipe);
    while (matcher.find()) {
      words.add(
          Stream.of(1, 2, 3).map(matcher::group).filter(Objects::nonNull).findFirst().orElse(""));
    }
    // Sizes of other machines, and files that are not here, are no matter of the command line.
    var _ = Main.commandLine().parseArgs(words.toArray(new String[0]));
  }

  /** A file, or a test class of any module. */
  private static boolean isThere(String name) throws IOException {
    if (name.contains("/")) {
      return Files.exists(Documents.root().resolve(name));
    }
    try (Stream<Path> files =
        Files.find(Documents.root(), 12, (file, _) -> file.endsWith(name + ".java"))) {
      return files.findAny().isPresent();
    }
  }

  /** From the command to its short form. */
  private static Map<String, String> listed() throws IOException {
    Map<String, String> forms = new LinkedHashMap<>();
    String command = "";
    for (String line : Files.readAllLines(Documents.root().resolve(".ci/commands"))) {
      if (line.startsWith(" ")) {
        String form = line.strip();
        forms.merge(command, form, (first, next) -> first.isEmpty() ? next : first + "\n" + next);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        command = line;
        assertThat(forms.put(command, "")).as("listed twice: " + line).isNull();
      }
    }
    return forms;
  }

  private static Set<String> documented() throws IOException {
    Set<String> commands = new TreeSet<>();
    List<Path> documents = Documents.all();
    assertThat(documents).hasSizeGreaterThan(20);
    for (Path document : documents) {
      commands.addAll(commands(Files.readAllLines(document)));
    }
    return commands;
  }

  private static List<String> commands(List<String> lines) {
    List<String> commands = new ArrayList<>();
    boolean isInFence = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("```")) {
        isInFence = !isInFence;
        continue;
      }
      Matcher cell = FIRST_CELL.matcher(line);
      String text = "";
      if (isInFence || line.startsWith("    ")) {
        StringBuilder whole = new StringBuilder(line.strip());
        while (whole.toString().endsWith("\\") && i + 1 < lines.size()) {
          whole.setLength(whole.length() - 1);
          whole.append(lines.get(++i).strip());
        }
        text = whole.toString();
      } else if (cell.matches()) {
        text = cell.group(1);
      }
      text = REMARK.matcher(text).replaceFirst("");
      if (COMMAND.matcher(text).matches()) {
        commands.add(text);
      }
    }
    return commands;
  }
}
