package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The replays of traces as a section of the report. */
public final class ReplaySection {
  private static final String NOTHING_REPLAYED =
      """
      <p class="empty">No allocator has replayed this trace to its end.</p>
      </section>
      """;

  private ReplaySection() {}

  /** Everything there is to show about these replays. */
  public static Section of(List<TraceReplay> replays) throws IOException {
    return of(replays, List.of());
  }

  /** Everything there is to show about these replays, and what a reader has to know of them. */
  public static Section of(List<TraceReplay> replays, List<String> notes) throws IOException {
    Findings findings = new Findings(replays);
    return new Section(
        Section.REPLAY,
        "Replayed traces",
        findings.headline(),
        ResultsJson.array(replays),
        html(replays, notes),
        findings.sentences(),
        replays.stream().flatMap(replay -> replay.failures().stream()).toList());
  }

  /** The same for a program of the reader's own: first what its metaspace was and would be. */
  public static Section ofProgram(TraceReplay replay, List<String> notes) throws IOException {
    Section section = of(List.of(replay), notes);
    List<String> sentences = new ProgramFindings(replay).sentences();
    List<String> findings = new ArrayList<>(sentences);
    findings.addAll(new RivalFindings(List.of(replay)).sentences());
    return new Section(
        section.name(),
        section.title(),
        sentences.getFirst(),
        section.json(),
        section.html(),
        findings,
        section.failures());
  }

  private static String html(List<TraceReplay> replays, List<String> notes) throws IOException {
    StringBuilder html = new StringBuilder();
    html.append(
        "<p class=\"lead\">Traces of a real JVM's metaspace, replayed with several allocators: the"
            + " same births, blocks and deaths, every word written, each allocator in a process of"
            + " its own.</p>\n");
    html.append(notes(notes));
    if (replays.size() > 1) {
      html.append("<p class=\"jump\">Traces: ");
      for (int i = 0; i < replays.size(); i++) {
        html.append(
            "<a href=\"#%s\">%s</a> ".formatted(id(i), Markup.escape(replays.get(i).trace())));
      }
      html.append("</p>\n");
    }
    double longest = ValleyBars.longest(replays);
    for (int i = 0; i < replays.size(); i++) {
      html.append(trace(replays.get(i), id(i), longest));
    }
    html.append(claims(replays));
    return html.append(HtmlReport.resource("replay-method.html")).toString();
  }

  private static String id(int index) {
    return "replay-trace-" + (index + 1);
  }

  /** Lines that stand below what they are about. */
  private static String notes(List<String> notes) {
    StringBuilder html = new StringBuilder();
    for (String note : notes) {
      html.append("<p class=\"note\">%s.</p>\n".formatted(Markup.escape(note)));
    }
    return html.toString();
  }

  private static String claims(List<TraceReplay> replays) {
    return new MallocClaims(replays)
        .table()
        .map(table ->
            "<section class=\"trace\">\n<h3>%s</h3>\n%s%s</section>\n"
                .formatted(
                    Markup.escape(MallocClaims.TITLE),
                    table.html(),
                    notes(List.of(MallocClaims.WHAT_IT_SAYS))))
        .orElse("");
  }

  private static String trace(TraceReplay replay, String id, double longest) {
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <section class="trace" id="%s">
        <h3>%s</h3>
        <p class="facts">%s.</p>
        """
            .formatted(
                id, Markup.escape(replay.trace()), Markup.escape(ReplayTables.facts(replay))));
    if (replay.results().isEmpty()) {
      return html.append(NOTHING_REPLAYED).toString();
    }
    ReplayCharts charts = new ReplayCharts(replay, id);
    html.append("<div class=\"overview\">\n");
    html.append(charts.together()).append(ValleyBars.figure(replay, longest));
    html.append("</div>\n");
    html.append(ReplayTables.table(replay).html());
    html.append(
        "<p class=\"note\">ms: all operations; header, committed and resident in MiB. %s.</p>\n"
            .formatted(Markup.escape(ReplayTables.valleyLine(replay))));
    html.append(notes(ReplayTables.librariesLine(replay).stream().toList()));
    html.append(notes(replay.notes()));
    RivalTable.of(replay)
        .ifPresent(table -> {
          html.append("<h4>Against elastic, at every phase</h4>\n").append(table.html());
          html.append(notes(List.of(RivalTable.WHAT_IT_SAYS)));
        });
    html.append(
        """
        <details open><summary>Each allocator by itself</summary>
        <div class="grid">
        """);
    for (AllocatorReplay result : replay.results()) {
      html.append(charts.alone(result));
    }
    return html.append("</div></details>\n</section>\n").toString();
  }
}
