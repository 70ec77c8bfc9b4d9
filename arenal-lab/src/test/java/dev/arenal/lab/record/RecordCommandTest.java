package dev.arenal.lab.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.lab.trace.EventText;
import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.Traces;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command record in a JVM of its own, as a user runs it. */
final class RecordCommandTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final String PROGRAM = RecordedProgram.class.getName();
  private static final long MAX_SECONDS = 60;

  @TempDir Path temp;
  private Path trace = Path.of("");

  @BeforeEach
  void nameTrace() {
    trace = temp.resolve("program.trace");
  }

  @Test
  void committedFigures_areThoseOfTheProgramItself() throws Exception {
    Result result =
        record("-o", trace.toString(), "--", JAVA, "-cp", CLASS_PATH, PROGRAM, "figures");
    assertThat(result.exitCode()).as(result.error()).isZero();
    String[] figures = result.output().lines().toList().getFirst().split(" ", -1);

    EventText events = new EventText();
    TraceInfo info = Traces.read(trace, events);
    long classBytes = lastCommitted(events, "committed CLASS ");
    long bothBytes = classBytes + lastCommitted(events, "committed NON_CLASS ");
    long expectedBytes = Long.parseLong(figures[0]);
    // Between telling its figures and its end the program may commit another granule or two.
    long laterBytes = 2 * 64 * 1024;
    assertThat(bothBytes).isBetween(expectedBytes * 99 / 100, expectedBytes + laterBytes);
    long expectedClassBytes = Long.parseLong(figures[1]);
    assertThat(classBytes)
        .isBetween(expectedClassBytes * 99 / 100, expectedClassBytes + laterBytes);

    assertThat(info.anomalyCount()).isZero();
    assertThat(info.loaderCount()).isGreaterThan(120);
    assertThat(info.deathCount()).isGreaterThanOrEqualTo(120);
    assertThat(info.jvmVersion()).isEqualTo(System.getProperty("java.runtime.version"));
    assertThat(result.error())
        .isEqualTo(
            String.format(
                "arenal record: %,d allocations in %,d arenas of %,d loaders -> %s (%,d bytes)%n",
                info.allocationCount(),
                info.arenaCount(),
                info.loaderCount(),
                trace,
                Files.size(trace)));
  }

  @Test
  void inputOutputAndExitCode_passThrough() throws Exception {
    Result echo = record(Map.of(), "hello", recording("echo"));
    assertThat(echo.output()).isEqualTo("hello");
    assertThat(echo.error()).isEmpty();
    assertThat(echo.exitCode()).isZero();

    Result arguments = record(Map.of(), "", recording("x", "--", "-o", "@y", "--help", ""));
    assertThat(arguments.error()).isEqualTo("x|--|-o|@y|--help|\n");

    assertThat(record(Map.of(), "", recording("exit", "33")).exitCode()).isEqualTo(33);
    assertThat(Traces.info(trace.toString()).programExit()).isEqualTo(33);
  }

  @Test
  void ownLoggingOfTheProgram_keepsWorking() throws Exception {
    Path ownLog = temp.resolve("own.log");
    Result result =
        record(
            "-q",
            "-o",
            trace.toString(),
            JAVA,
            "-Xlog:disable",
            "-Xlog:metaspace=info:file=" + ownLog,
            "-Xlog:safepoint=info:stdout:tags",
            "-cp",
            CLASS_PATH,
            PROGRAM,
            "figures");
    assertThat(result.output()).contains("[safepoint");
    assertThat(result.error()).isEmpty();
    assertThat(ownLog).content().contains("metaspace");
    assertThat(Traces.info(trace.toString()).deathCount()).isGreaterThanOrEqualTo(120);
  }

  @Test
  void killedProgram_leavesAWholeTrace() throws Exception {
    Process recorder = start(Map.of(), recording("sleep"));
    BufferedReader lines = recorder.inputReader();
    ProcessHandle program = ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
    assertThat(program.destroyForcibly()).isTrue();
    assertThat(recorder.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(recorder.exitValue()).isEqualTo(137);
    TraceInfo info = Traces.info(trace.toString());
    assertThat(info.programExit()).isEqualTo(137);
    assertThat(info.allocationCount()).isPositive();
  }

  @Test
  void terminatedRecorder_terminatesTheProgramAndFinishesTheTrace() throws Exception {
    Process recorder = start(Map.of(), recording("sleep"));
    BufferedReader lines = recorder.inputReader();
    Optional<ProcessHandle> program = ProcessHandle.of(Long.parseLong(lines.readLine()));
    recorder.destroy();
    assertThat(recorder.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(recorder.exitValue()).isEqualTo(143);
    assertThat(program.map(ProcessHandle::isAlive)).isNotEqualTo(Optional.of(true));
    assertThat(Traces.info(trace.toString()).programExit()).isEqualTo(143);
  }

  /** It would end a JVM without a handler for it: the recorder's, and not the program's. */
  @Test
  void signalOfTheUser_isTheProgramsAlone() throws Exception {
    Process recorder = start(Map.of(), recording("sleep"));
    long program = Long.parseLong(recorder.inputReader().readLine());
    Process kill = new ProcessBuilder("sh", "-c", "kill -s USR1 " + recorder.pid()).start();
    assertThat(kill.waitFor()).isZero();
    assertThat(recorder.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(recorder.exitValue()).isEqualTo(138);
    assertThat(ProcessHandle.of(program).map(ProcessHandle::isAlive))
        .isNotEqualTo(Optional.of(true));
    assertThat(Traces.info(trace.toString()).programExit()).isEqualTo(138);
    assertThat(temp).isDirectoryNotContaining("glob:**.partial");
  }

  @Test
  void signalBeforeTheProgramIsThere_reachesItAndLeavesNoFiles() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "the system has mkfifo there");
    script("bin/mkfifo", "kill -TERM $PPID; sleep 1; exec /usr/bin/mkfifo \"$@\"");
    Path temporary = Files.createDirectory(temp.resolve("temporary"));
    Result result =
        record(
            Map.of(
                "PATH",
                temp.resolve("bin") + ":" + System.getenv("PATH"),
                "JAVA_TOOL_OPTIONS",
                "-Djava.io.tmpdir=" + temporary),
            "",
            recording("sleep"));
    // The program's JVM may have logged something by then, and there is a trace.
    assertThat(Files.exists(trace) ? "" : result.error())
        .matches(
            "|(?s).*nothing was recorded: the program's JVM logged nothing, programExit=143 .*");
    assertThat(result.exitCode()).isEqualTo(143);
    assertThat(temporary).isEmptyDirectory();
    assertThat(temp).isDirectoryNotContaining("glob:**.partial");
  }

  @Test
  void optionsThatWereSetAside_areTheProgramsAlone() throws Exception {
    String variable = "ARENAL_SET_ASIDE_JAVA_TOOL_OPTIONS";
    Result result = record(Map.of(variable, "-Dname=value"), "", recording("exit", "4"));
    assertThat(result.error()).isEqualTo("Picked up JAVA_TOOL_OPTIONS: -Dname=value\n");
    assertThat(result.exitCode()).isEqualTo(4);
    Result lossy = record(Map.of(variable, "-Xlog:async"), "", recording("exit", "4"));
    assertThat(lossy.error())
        .isEqualTo(
            "arenal record: option would lose what is to be recorded: option=-Xlog:async,"
                + " variable=JAVA_TOOL_OPTIONS (leave it out, or use -Xlog:async:stall where the"
                + " JVM has it)\n");
  }

  @Test
  void fullDisk_harmsOnlyTheTrace() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "the system has a device that is always full");
    Result result = record("-o", "/dev/full", "--", JAVA, "-cp", CLASS_PATH, PROGRAM, "exit", "3");
    assertThat(result.error())
        .isEqualTo(
            "arenal record: the trace could not be written: file=/dev/full, cause=No space left on"
                + " device, programExit=3 (the program ran to its end, the trace is removed)\n");
    assertThat(result.exitCode()).isEqualTo(125);
  }

  @Test
  void unwritableTrace_isRefusedBeforeTheProgramStarts() throws Exception {
    Path nowhere = temp.resolve("no-such-folder").resolve("a.trace");
    assertNotStarted(
        "cannot write the trace: file=" + nowhere + ", cause=no such directory",
        "-o",
        nowhere.toString(),
        JAVA,
        "-cp",
        CLASS_PATH,
        PROGRAM,
        "exit",
        "0");
    assertNotStarted(
        "cannot write the trace: file=" + temp + ", cause=it is a directory",
        "-o",
        temp.toString(),
        JAVA,
        "-cp",
        CLASS_PATH,
        PROGRAM,
        "exit",
        "0");
  }

  @Test
  void jvmThatDoesNotStart_leavesTheEarlierTrace() throws Exception {
    Files.writeString(trace, "earlier");
    Result result = record("-o", trace.toString(), JAVA, "-XX:NoSuchOption", PROGRAM);
    assertThat(result.error())
        .endsWith(
            "arenal record: nothing was recorded: the program's JVM logged nothing, programExit=1"
                + " (expected a program that starts, and no option that turns logging off)\n");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(trace).hasContent("earlier");
    assertThat(temp).isDirectoryNotContaining("glob:**.partial");
  }

  @Test
  void otherAndOlderPrograms_areRefused() throws Exception {
    assertNotStarted(
        "not a java command: command=true (expected java or a path that ends in /java; for a"
            + " script, give the java command line that it runs)",
        "-o",
        trace.toString(),
        "--",
        "true");
    Path echo = script("echo/java", "echo $*");
    assertNotStarted(
        "not a java launcher: command="
            + echo
            + " (expected -XshowSettings:properties -version to show its version)",
        "-o",
        trace.toString(),
        echo.toString());
    Path old =
        script(
            "old/java",
            "echo '    java.specification.version = 11'; echo '    java.vm.name = Old VM';"
                + " echo '    java.runtime.version = 11.0.13+8'");
    assertNotStarted(
        "this JVM does not log its metaspace allocations: version=11.0.13+8, vm=Old VM, command="
            + old
            + " (expected a HotSpot JVM of Java 17 or later)",
        "-o",
        trace.toString(),
        "--",
        old.toString(),
        "-jar",
        "app.jar");
  }

  @Test
  void missingWords_areAUsageError() throws Exception {
    Result result = record("-o", trace.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.error()).startsWith("Missing required parameter: 'COMMAND'\n");
  }

  private void assertNotStarted(String message, String... words) throws Exception {
    Result result = record(words);
    assertThat(result.error()).isEqualTo("arenal record: " + message + "\n");
    assertThat(result.output()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(125);
    assertThat(temp).isDirectoryNotContaining("glob:**.partial");
  }

  private Path script(String name, String command) throws IOException {
    Path file = temp.resolve(name);
    Files.createDirectories(Path.of(String.valueOf(file.getParent())));
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private String[] recording(String... programArguments) {
    List<String> words =
        new ArrayList<>(List.of("-q", "-o", trace.toString(), "--", JAVA, "-cp", CLASS_PATH));
    words.add(PROGRAM);
    words.addAll(List.of(programArguments));
    return words.toArray(String[]::new);
  }

  private Result record(String... words) throws Exception {
    return record(Map.of(), "", words);
  }

  private Result record(Map<String, String> environment, String input, String... words)
      throws Exception {
    Process process = start(environment, words);
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).as("ends in time").isTrue();
    return new Result(
        process.exitValue(),
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
        Files.readString(temp.resolve("stderr")));
  }

  private Process start(Map<String, String> environment, String... words) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(JAVA, "-cp", CLASS_PATH, "dev.arenal.lab.Main", "record"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(temp.resolve("stderr").toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static long lastCommitted(EventText events, String prefix) {
    return events.lines().stream()
        .filter(line -> line.startsWith(prefix))
        .mapToLong(line -> Long.parseLong(line.substring(prefix.length())))
        .reduce(0, (_, last) -> last);
  }

  private record Result(int exitCode, String output, String error) {}
}
