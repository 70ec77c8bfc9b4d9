package dev.arenal.workload;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The run as lines for a program to read, and samples of it ten times a second.
 *
 * <p>Every line begins with {@link #PREFIX}: a JVM prints warnings of its own between them. Figures
 * are bytes, {@code -} where there is none, and the label, which has spaces, comes last.
 *
 * <pre>
 *   started PID
 *   sample USED COMMITTED
 *   phase USED COMMITTED CLASS-USED CLASS-COMMITTED RESIDENT LABEL
 *   report KIND LINE           text, exact or basic: a line of what jcmd VM.metaspace prints
 *   ended
 * </pre>
 */
final class EventStream implements Listener {
  static final String PREFIX = "@arenal ";

  private static final long SAMPLE_MILLIS = 100;
  private static final String NONE = "-";
  private static final int BYTES_PER_KB = 1024;
  private static final Path STATUS = Path.of("/proc/self/status");

  private final PrintStream out;
  private final Thread sampler = new Thread(this::sample, "sampler");

  EventStream(PrintStream out) {
    this.out = out;
    // The code of the report loads classes of its own: now, and not at the valley.
    MetaspaceReport.text("basic");
    residentBytes();
    say("started " + ProcessHandle.current().pid());
    sampler.setDaemon(true);
    sampler.start();
  }

  @Override
  public void phase(String label) {
    MetaspaceFigures figures = MetaspaceFigures.now();
    say(
        "phase "
            + figures.usedBytes()
            + " "
            + figures.committedBytes()
            + " "
            + figures.classUsedBytes()
            + " "
            + figures.classCommittedBytes()
            + " "
            + residentBytes()
            + " "
            + label);
  }

  @Override
  public void valley() {
    say("report text", MetaspaceReport.text());
    say("report exact", MetaspaceReport.text("scale=1"));
    say("report basic", MetaspaceReport.text("basic", "scale=1"));
  }

  @Override
  public void close() {
    sampler.interrupt();
    say("ended");
  }

  private void sample() {
    try {
      while (!out.checkError()) {
        MetaspaceFigures figures = MetaspaceFigures.now();
        say("sample " + figures.usedBytes() + " " + figures.committedBytes());
        Thread.sleep(SAMPLE_MILLIS);
      }
    } catch (InterruptedException e) {
      return;
    }
    // The process that started this is gone.
    Runtime.getRuntime().halt(1);
  }

  private void say(String what, @Nullable String text) {
    if (text != null) {
      text.lines().forEach(line -> say(what + " " + line));
    }
  }

  /** One write per line, so that lines of two threads do not mix. */
  private void say(String event) {
    out.print(PREFIX + event + "\n");
    out.flush();
  }

  /** The resident size of this process by the kernel's count, files included; as top shows it. */
  private static String residentBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmRSS:")) {
          return String.valueOf(Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB);
        }
      }
    } catch (IOException e) {
      return NONE;
    }
    return NONE;
  }
}
