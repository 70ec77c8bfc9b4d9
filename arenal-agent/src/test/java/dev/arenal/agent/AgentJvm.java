package dev.arenal.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A fresh JVM, with the agent or without it; it verifies all byte code, that of the agent too. */
final class AgentJvm {
  static final Path AGENT = Path.of(System.getProperty("agent.jar", "target/arenal-agent.jar"));
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final int LIMIT_SECONDS = 180;

  private final List<String> flags =
      new ArrayList<>(
          List.of(
              "-XX:+UnlockDiagnosticVMOptions",
              "-XX:+BytecodeVerificationLocal",
              "-XX:+BytecodeVerificationRemote"));
  private final List<String> before = new ArrayList<>();
  private boolean isWithNativeAccess = true;

  /** The output of a program that has ended. */
  record Result(int exitCode, String out, String err) {
    /** All lines of the agent on standard error, without its name. */
    List<String> agentLines() {
      return err.lines()
          .filter(line -> line.startsWith("arenal-agent: "))
          .map(line -> line.substring("arenal-agent: ".length()))
          .toList();
    }
  }

  /** The JVM has the compilers of this one: most programs are too short for the second. */
  private static List<String> compilerFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-XX:TieredStopAtLevel="))
        .toList();
  }

  AgentJvm flags(String... more) {
    flags.addAll(List.of(more));
    return this;
  }

  /** Starts it by a shell that says this first, such as {@code ulimit -v 1000000}. */
  AgentJvm afterShell(String text) {
    before.addAll(List.of("sh", "-c", text + "; exec \"$@\"", "sh"));
    return this;
  }

  /** Adds the agent with these options. */
  AgentJvm agent(String options) {
    return flags("-javaagent:" + AGENT + (options.isEmpty() ? "" : "=" + options));
  }

  AgentJvm withoutNativeAccess() {
    isWithNativeAccess = false;
    return this;
  }

  List<String> command(String... words) {
    List<String> command = new ArrayList<>(before);
    command.add(JAVA);
    command.addAll(compilerFlags());
    if (isWithNativeAccess) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(flags);
    command.addAll(List.of(words));
    return command;
  }

  /** Runs a main class of a class path. */
  Result run(Path classPath, String mainClass, String... arguments) {
    List<String> words = new ArrayList<>(List.of("-cp", classPath.toString(), mainClass));
    words.addAll(List.of(arguments));
    return runWords(words.toArray(String[]::new));
  }

  /** Runs whatever the words behind the flags say. */
  Result runWords(String... words) {
    try {
      Path out = Files.createTempFile("agent", ".out");
      Path err = Files.createTempFile("agent", ".err");
      ProcessBuilder builder = new ProcessBuilder(command(words));
      // Options for the test's JVM from its environment are not for this one.
      builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new IllegalStateException("still running: " + Files.readString(err));
      }
      Result result = new Result(process.exitValue(), Files.readString(out), Files.readString(err));
      Files.delete(out);
      Files.delete(err);
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A running program that is spoken to by lines. */
  static final class Running implements AutoCloseable {
    private final Process process;
    private final java.io.BufferedReader out;

    Running(Process process) {
      this.process = process;
      this.out =
          new java.io.BufferedReader(
              new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    Process process() {
      return process;
    }

    long pid() {
      return process.pid();
    }

    String readLine() throws IOException {
      String line = out.readLine();
      return line == null ? "(end)" : line;
    }

    void writeLine(String line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    }

    int exitCode() throws InterruptedException {
      return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    @Override
    public void close() {
      var _ = process.destroyForcibly();
    }
  }

  /** Starts a main class of a class path; standard error goes to that file. */
  Running start(Path classPath, Path err, String mainClass) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command("-cp", classPath.toString(), mainClass))
            .redirectError(err.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    return new Running(builder.start());
  }
}
