package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command try in a JVM of its own, as a user runs it. */
final class TryCommandTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final String PROGRAM = "dev.arenal.lab.record.RecordedProgram";
  private static final long MAX_SECONDS = 120;

  @TempDir Path temp;

  @Test
  void programRunsAsItIs_andAReportIsWritten() throws Exception {
    Path json = temp.resolve("results.json");
    Path trace = temp.resolve("kept.trace");
    Result result =
        attempt(
            "hello\n",
            "--quick",
            "--allocators",
            "malloc",
            "--out",
            temp.resolve("report").toString(),
            "--json",
            json.toString(),
            "--keep",
            trace.toString(),
            "--",
            JAVA,
            "-cp",
            CLASS_PATH,
            PROGRAM,
            "echo");

    assertThat(result.exitCode()).as(result.error()).isZero();
    assertThat(result.output()).isEqualTo("hello\n");
    assertThat(result.error())
        .startsWith("arenal try: recorded ")
        .contains(
            "This program's metaspace has no valley: ",
            "At the end, with ",
            "report: " + temp.resolve("report/report.html"));
    JsonNode results = new ObjectMapper().readTree(json.toFile()).get(0).get("results");
    assertThat(results.findValuesAsText("allocator"))
        .containsExactly("hotspot", "elastic", "malloc");
    assertThat(Files.readString(temp.resolve("report/report.html"))).contains("HotSpot kept");
    assertThat(trace).isNotEmptyFile();
  }

  @Test
  void exitCodeOfTheProgram_isThatOfTry() throws Exception {
    Result result =
        attempt(
            "",
            "--quick",
            "--allocators",
            "hotspot",
            "--json",
            "-",
            "--out",
            temp.resolve("report").toString(),
            JAVA,
            "-cp",
            CLASS_PATH,
            PROGRAM,
            "exit",
            "33");

    assertThat(result.exitCode()).isEqualTo(33);
    assertThat(result.error()).contains("; the program ended with exit code 33, what it did until");
    JsonNode trace = new ObjectMapper().readTree(result.output()).get(0);
    assertThat(trace.get("trace").asText()).isEqualTo(PROGRAM);
    assertThat(temp.resolve("report/report.html")).isNotEmptyFile();
  }

  @Test
  void javaThatIsTooOld_isRefused() throws Exception {
    Path java = Files.createDirectories(temp.resolve("jdk/bin")).resolve("java");
    var _ =
        Files.writeString(
            java,
            """
            #!/bin/sh
            echo '    java.specification.version = 11'
            echo '    java.runtime.version = 11.0.13+8'
            echo '    java.vm.name = OpenJDK 64-Bit Server VM'
            """);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Result result = attempt("", "--out", temp.resolve("report").toString(), "" + java, "Main");

    assertThat(result.exitCode()).isEqualTo(125);
    assertThat(result.output()).isEmpty();
    assertThat(result.error())
        .isEqualTo(
            ("arenal try: this JVM does not log its metaspace allocations: version=11.0.13+8,"
                    + " vm=OpenJDK 64-Bit Server VM, command=%s (expected a HotSpot JVM of Java 17"
                    + " or later)\n")
                .formatted(java));
  }

  @Test
  void placeThatCannotBeWrittenTo_isRefusedBeforeTheProgramRuns() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "");
    Result result =
        attempt("in", "--out", file + "/report", JAVA, "-cp", CLASS_PATH, PROGRAM, "echo");

    assertThat(result.exitCode()).isEqualTo(125);
    assertThat(result.output()).isEmpty();
    assertThat(result.error()).startsWith("arenal try: cannot write: file=" + file + "/report");
  }

  @Test
  void unknownAllocator_isAMistakeOfTheCommandLine() throws Exception {
    Result result = attempt("", "--allocators", "tcmalloc", JAVA, "Main");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.error()).startsWith("unknown allocator: name=tcmalloc (expected one of ");
  }

  private Result attempt(String input, String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                JAVA,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASS_PATH,
                "dev.arenal.lab.Main",
                "try"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(temp.resolve("stderr").toFile());
    Process process = builder.start();
    write(process, input);
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).as("ends in time").isTrue();
    return new Result(
        process.exitValue(),
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
        Files.readString(temp.resolve("stderr")));
  }

  private static void write(Process process, String input) throws IOException {
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
  }

  private record Result(int exitCode, String output, String error) {}
}
