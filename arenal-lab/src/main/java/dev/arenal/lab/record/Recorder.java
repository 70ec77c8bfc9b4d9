package dev.arenal.lab.record;

import dev.arenal.lab.jvm.LauncherProperties;
import dev.arenal.lab.process.Causes;
import dev.arenal.lab.process.Program;
import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.TraceOutcome;
import dev.arenal.lab.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a Java program and records what its metaspace does.
 *
 * <p>The program comes first: its input, output and exit code are its own, and whatever happens to
 * the recording, it runs to its end.
 */
public final class Recorder {
  /** The exit codes of env, timeout and docker when they fail themselves. */
  public static final int EXIT_NOT_RECORDED = 125;

  private static final int OLDEST_FEATURE = 17;

  private final Path file;
  private final JavaCommand command;
  private final LogPipe pipe;
  private final TraceFile traceFile;
  private final TraceWriter writer;
  private final MetaspaceHistory history;
  private final MetaspaceLog log;
  private final LogDrain drain;

  private Recorder(
      Path file, JavaCommand command, LogPipe pipe, TraceFile traceFile, TraceWriter writer)
      throws IOException {
    this.file = file;
    this.command = command;
    this.pipe = pipe;
    this.traceFile = traceFile;
    this.writer = writer;
    this.history = new MetaspaceHistory(writer);
    this.log = new MetaspaceLog(history);
    this.drain = new LogDrain(pipe.input(), pipe.endLine(), log);
  }

  /**
   * The result of a recording.
   *
   * @param exitCode the program's exit code, 128 + n if signal n ended it; {@link
   *     #EXIT_NOT_RECORDED} if the trace was lost
   * @param info the facts of the trace; null if there is none
   * @param sizeBytes the size of the trace; 0 if there is none
   * @param problem why there is no trace, or what is wrong with it; null if all is well
   */
  public record Result(
      int exitCode, @Nullable TraceInfo info, long sizeBytes, @Nullable String problem) {}

  /**
   * Records a program from its start to its end.
   *
   * @param words the command line: java and what follows
   * @param file where the trace goes
   * @return the result; also when the program failed, or the trace could not be written
   * @throws RecordException if the program was not started
   */
  public static Result record(List<String> words, Path file) throws RecordException {
    JavaCommand command = parsed(words);
    String jvmVersion = jvmVersion(command.launcher());
    // Before the first file: a signal that ended this JVM at once would leave it behind.
    try (SignalForwarding signals = SignalForwarding.start()) {
      return record(command, jvmVersion, file, signals);
    }
  }

  private static Result record(
      JavaCommand command, String jvmVersion, Path file, SignalForwarding signals)
      throws RecordException {
    TraceFile traceFile = TraceFile.create(file);
    boolean isStarted = false;
    try (LogPipe pipe = LogPipe.create()) {
      TraceWriter writer = new TraceWriter(traceFile.out(), jvmVersion);
      Recorder recorder = new Recorder(file, command, pipe, traceFile, writer);
      Process program = recorder.start();
      isStarted = true;
      signals.to(program);
      return recorder.follow(program);
    } catch (IOException e) {
      throw new RecordException(
          (isStarted ? "recording failed" : "cannot start the program")
              + ": command="
              + command.launcher()
              + ", file="
              + file
              + ", cause="
              + Causes.of(e),
          e);
    } finally {
      traceFile.discardUnlessMoved();
    }
  }

  /** Asks the launcher, and refuses a JVM that does not log its metaspace allocations. */
  private static String jvmVersion(Path launcher) throws RecordException {
    String otherwise = "this JVM does not log its metaspace allocations";
    try {
      return LauncherProperties.require(launcher, OLDEST_FEATURE, otherwise).version();
    } catch (IOException e) {
      throw new RecordException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The name for the program of a command line: its main class, module, jar or source file. */
  public static String programName(List<String> words) throws RecordException {
    return parsed(words).programName();
  }

  private static JavaCommand parsed(List<String> words) throws RecordException {
    return JavaCommand.parse(words, Program.ofUser(words).environment());
  }

  private Process start() throws IOException {
    return Program.ofUser(command.withOption(pipe.option())).inheritIO().start();
  }

  private Result follow(Process program) throws IOException {
    Thread drainThread = Thread.ofPlatform().name("arenal-record").daemon().start(drain);
    int programExit = waitFor(program);
    pipe.end();
    join(drainThread);

    Throwable failure = drain.failure();
    if (failure != null) {
      return notWritten(programExit, failure);
    }
    if (log.lineCount() == 0) {
      // A JVM that refused its options has said so itself, and its exit code tells more than ours.
      return failed(
          programExit == 0 ? EXIT_NOT_RECORDED : programExit,
          "nothing was recorded: the program's JVM logged nothing, programExit="
              + programExit
              + " (expected a program that starts, and no option that turns logging off)");
    }
    if (log.droppedLineCount() > 0) {
      return failed(
          EXIT_NOT_RECORDED,
          ("the JVM has dropped lines of its log: droppedLineCount=%s, programExit=%s (expected no"
                  + " -Xlog:async, or -Xlog:async:stall; it may be in a file of options)")
              .formatted(log.droppedLineCount(), programExit));
    }
    try {
      return finish(programExit);
    } catch (IOException | RuntimeException e) {
      return notWritten(programExit, e);
    }
  }

  private Result finish(int programExit) throws IOException {
    history.end();
    long unfittingCount = history.anomalyCount() + log.unknownLineCount();
    TraceInfo info =
        writer.finish(new TraceOutcome(programExit, unfittingCount, history.commitGranuleBytes()));
    writer.close();
    traceFile.moveToTarget();
    String problem =
        unfittingCount == 0
            ? null
            : ("log lines did not fit: unknownLineCount=%s, anomalyCount=%s,"
                    + " lineCount=%s (they are left out of the trace)")
                .formatted(log.unknownLineCount(), history.anomalyCount(), log.lineCount());
    return new Result(programExit, info, traceFile.sizeBytes(), problem);
  }

  private Result notWritten(int programExit, Throwable cause) {
    return failed(
        EXIT_NOT_RECORDED,
        ("the trace could not be written: file=%s, cause=%s, programExit=%s (the"
                + " program ran to its end, the trace is removed)")
            .formatted(file, Causes.of(cause), programExit));
  }

  private static Result failed(int exitCode, String problem) {
    return new Result(exitCode, null, 0, problem);
  }

  private static int waitFor(Process program) {
    while (true) {
      try {
        return program.waitFor();
      } catch (InterruptedException e) {
        // Nothing of ours interrupts this thread; the program decides when it ends.
        program.destroy();
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
