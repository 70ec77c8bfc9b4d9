package dev.arenal.lab;

import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;

/** One thing the lab measures and shows. A new one joins the list in {@link LabCommand}. */
interface Experiment {
  /** Its name in progress and errors. */
  String name();

  /** What it finds out, in a line for people who see it for the first time. */
  String question();

  /**
   * Measures, prints its tables while it goes, and returns what it has to show.
   *
   * @param isQuick whether a rough figure soon is better than a good one later
   * @param text where tables go
   */
  Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException;
}
