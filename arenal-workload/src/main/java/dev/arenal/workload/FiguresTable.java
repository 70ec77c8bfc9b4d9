package dev.arenal.workload;

import java.io.PrintStream;
import java.util.Locale;

/** The phases as a table for people, one row each. */
final class FiguresTable implements Listener {
  private static final String ROW = "%-34s %15s %15s %15s %15s%n";

  private final PrintStream out;

  FiguresTable(PrintStream out) {
    this.out = out;
    out.format(
        Locale.ROOT, ROW, "phase", "used-bytes", "committed", "class-used", "class-committed");
  }

  @Override
  public void phase(String label) {
    MetaspaceFigures figures = MetaspaceFigures.now();
    out.format(
        Locale.ROOT,
        ROW,
        label,
        figures.usedBytes(),
        figures.committedBytes(),
        figures.classUsedBytes(),
        figures.classCommittedBytes());
    out.flush();
  }

  @Override
  public void valley() {
    // The row of its phase has all there is to say.
  }

  @Override
  public void close() {
    out.flush();
  }
}
