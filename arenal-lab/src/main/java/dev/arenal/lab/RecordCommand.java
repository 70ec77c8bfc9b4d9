package dev.arenal.lab;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.record.RecordException;
import dev.arenal.lab.record.Recorder;
import dev.arenal.lab.trace.TraceInfo;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code arenal record}: runs a Java program and writes its metaspace trace. */
@Command(
    name = "record",
    header = "Records all allocations, frees and commits in the metaspace of a Java program.",
    description = {
      "",
      "Runs the command and writes a trace for @|bold arenal replay|@. Input, output and exit"
          + " code are those of the program; it needs no change, and its own -Xlog options keep"
          + " working. Needs a HotSpot JVM of Java 17 or later.",
      "",
      "A program that crashes or is killed leaves a trace of everything until then. During the"
          + " recording classes load some ten times slower; everything else runs as usual.",
      "",
      "Signals INT, TERM, HUP and USR1 are passed on to the program. QUIT is not, since each JVM"
          + " keeps it: for the program's threads, ask its own process (jcmd).",
      ""
    },
    footer = {
      "  arenal record -o app.trace -- java -jar app.jar --port 8080",
      "  arenal record -o app.trace /opt/jdk-21/bin/java -Xmx1g -cp app Main"
    },
    exitCodeList = {
      "  0..255:the program's own; 128 + n if signal n ended it",
      "  2:the command line of record itself is wrong",
      "  125:the program could not be recorded, or was not started: see the message"
    })
final class RecordCommand extends ArenalCommand {
  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "TRACE",
      description = "The trace file, written when the program has ended.")
  private Path output = Path.of("");

  @Option(
      names = {"-q", "--quiet"},
      description = "Prints nothing unless something fails.")
  private boolean isQuiet;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command line to run: java, or a path to it, and its arguments.")
  private List<String> command = List.of();

  @Override
  public Integer call() {
    try {
      Recorder.Result result = Recorder.record(command, output);
      if (result.problem() != null) {
        say("arenal record: " + result.problem());
      }
      TraceInfo info = result.info();
      if (info != null && !isQuiet) {
        say("arenal record: " + summary(info, result.sizeBytes()));
      }
      return result.exitCode();
    } catch (RecordException e) {
      say("arenal record: " + e.getMessage());
      return Recorder.EXIT_NOT_RECORDED;
    }
  }

  private String summary(TraceInfo info, long sizeBytes) {
    return Figures.format(
        "%,d allocations in %,d arenas of %,d loaders -> %s (%,d bytes)",
        info.allocationCount(), info.arenaCount(), info.loaderCount(), output, sizeBytes);
  }
}
