package dev.arenal.lab.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs beside this one, its errors in its output. When it is closed, or this JVM
 * ends, it is ended with all that it has started: the word java may be a script around the JVM.
 */
public final class Program implements AutoCloseable {
  /** Variables through which a JVM takes options that its command line does not show. */
  public static final List<String> OPTION_VARIABLES =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  /**
   * Before the name of one that {@code ./arenal} has set aside: an agent, a port or a log in it is
   * for a program of the user, not for this JVM.
   */
  private static final String SET_ASIDE = "ARENAL_SET_ASIDE_";

  /** Said by a thread that goes on while this JVM ends. */
  static final String BEING_STOPPED = "this program is being stopped";

  /** Processes that it left behind may still hold its output. */
  private static final long READER_MILLIS = 5_000;

  private final Thread hook = new Thread(this::end);
  private @Nullable Process started;
  private @Nullable Thread reader;
  private boolean isEnded;

  private Program() {}

  /**
   * How a program ended.
   *
   * @param isLate whether it was ended because it took too long
   * @param lines what it printed
   */
  public record End(int exitCode, boolean isLate, List<String> lines) {
    /** Whether it came to its end and says that all went well. */
    public boolean isGood() {
      return !isLate && exitCode == 0;
    }

    /** The end of a message about it. */
    public String lastLines() {
      LastLines last = new LastLines();
      lines.forEach(last::add);
      return last.text();
    }
  }

  /** A JVM to be started; agents, logs and heaps in variables are for other programs. */
  public static ProcessBuilder java(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    OPTION_VARIABLES.forEach(builder.environment()::remove);
    return builder;
  }

  /** A program of the user: what was set aside for it is where the user had put it. */
  public static ProcessBuilder ofUser(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    for (String variable : OPTION_VARIABLES) {
      String options = environment.remove(SET_ASIDE + variable);
      if (options != null) {
        environment.put(variable, options);
      }
    }
    return builder;
  }

  /** Starts it. */
  public static Program start(ProcessBuilder builder) throws IOException {
    Program program = new Program();
    // The hook first: a lab that is stopped while the program starts takes it along too.
    try {
      Runtime.getRuntime().addShutdownHook(program.hook);
    } catch (IllegalStateException e) {
      throw new IOException(BEING_STOPPED, e);
    }
    try {
      program.begin(builder.redirectErrorStream(true));
      return program;
    } catch (IOException e) {
      program.close();
      throw e;
    }
  }

  /** Runs it without any input to its end, which comes after so many seconds at the latest. */
  public static End run(ProcessBuilder builder, long mostSeconds)
      throws IOException, InterruptedException {
    return run(builder, mostSeconds, _ -> {});
  }

  /**
   * The same.
   *
   * @param eachSecond told the seconds that have passed
   */
  static End run(ProcessBuilder builder, long mostSeconds, LongConsumer eachSecond)
      throws IOException, InterruptedException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    try (Program program = start(builder)) {
      program.listen(lines::add);
      long seconds = 0;
      while (seconds < mostSeconds && !program.process().waitFor(1, TimeUnit.SECONDS)) {
        seconds++;
        eachSecond.accept(seconds);
      }
      boolean isLate = seconds == mostSeconds;
      if (isLate) {
        program.end();
      }
      return new End(program.await(), isLate, List.copyOf(lines));
    }
  }

  private synchronized void begin(ProcessBuilder builder) throws IOException {
    if (isEnded) {
      throw new IOException(BEING_STOPPED);
    }
    started = builder.start();
  }

  /** The process, which is known once it has started. */
  public synchronized Process process() {
    return Objects.requireNonNull(started);
  }

  /** Hands over each line that it prints, in a thread of its own; it gets no input. */
  public void listen(Consumer<String> listener) throws IOException {
    process().getOutputStream().close();
    reader = Thread.ofPlatform().daemon().start(() -> read(listener));
  }

  private void read(Consumer<String> listener) {
    try (BufferedReader lines = lines()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        listener.accept(line);
      }
    } catch (IOException e) {
      // It was killed with its pipe; what it said until then is there.
      return;
    }
  }

  /** Its output. */
  public BufferedReader lines() {
    return new BufferedReader(
        new InputStreamReader(process().getInputStream(), StandardCharsets.UTF_8));
  }

  /** Waits for its end and for its last line; returns its exit code. */
  public int await() throws InterruptedException {
    int exitCode = process().waitFor();
    if (reader != null) {
      reader.join(READER_MILLIS);
    }
    return exitCode;
  }

  /** Ends it. */
  public synchronized void end() {
    isEnded = true;
    if (started != null) {
      // First those below: the children of a process that is gone are unknown.
      started.descendants().forEach(ProcessHandle::destroyForcibly);
      started.destroyForcibly();
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook does its work.
      return;
    }
  }
}
