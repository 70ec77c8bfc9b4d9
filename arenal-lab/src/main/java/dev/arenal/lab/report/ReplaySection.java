package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;

/** The replays of traces as a section of the report. */
public final class ReplaySection {
  private static final String LEGEND =
      """
      <p class="legend"><span class="key used"></span>used (live)\
      <span class="key committed"></span>committed\
      <span class="key resident"></span>resident\
      <span class="hint">Point at a chart for its figures.</span></p>
      """;

  private ReplaySection() {}

  /** Everything there is to show about these replays. */
  public static Section of(List<TraceReplay> replays) {
    List<JsonNode> json = new ArrayList<>();
    ResultsJson.array(replays).forEach(json::add);
    List<String> failures = replays.stream().flatMap(replay -> replay.failures().stream()).toList();
    return new Section("Replay", json, html(replays), new Findings(replays).sentences(), failures);
  }

  private static String html(List<TraceReplay> replays) {
    StringBuilder html = new StringBuilder();
    html.append("<h2>Kept at the valley, for each byte that is live</h2>\n");
    html.append(
        "<p>The valley is the lowest used after the first peak, before it rises again by more than"
            + " 10 % of that peak. Blue is committed, orange is resident where the allocator does"
            + " not know what it has committed.</p>\n");
    html.append("<div class=\"grid\">\n");
    double longest = ValleyBars.longest(replays);
    replays.forEach(replay -> html.append(ValleyBars.svg(replay, longest)));
    html.append("</div>\n");
    for (int i = 0; i < replays.size(); i++) {
      html.append(trace(replays.get(i), i));
    }
    return html.toString();
  }

  private static String trace(TraceReplay replay, int index) {
    Scale scale = Scale.upTo(TimelineChart.maxBytes(replay.results()));
    StringBuilder html = new StringBuilder();
    html.append(
        "<section class=\"trace\" data-trace=\"%d\" data-unit=\"%s\" data-unit-bytes=\"%d\">\n"
            .formatted(index, scale.unit(), scale.unitBytes()));
    html.append(
        "<h2>%s</h2>\n<p>%s.</p>\n"
            .formatted(Markup.escape(replay.trace()), Markup.escape(ReplayTables.facts(replay))));
    html.append(LEGEND).append("<div class=\"grid\">\n");
    for (int i = 0; i < replay.results().size(); i++) {
      html.append(chart(replay, i, scale));
    }
    html.append("</div>\n<div class=\"scroll\">");
    if (!replay.results().isEmpty()) {
      html.append(ReplayTables.table(replay).html());
      html.append(
          "</div>\n<p class=\"note\">%s.</p>\n"
              .formatted(Markup.escape(ReplayTables.valleyLine(replay))));
    } else {
      html.append("</div>\n");
    }
    for (String failure : replay.failures()) {
      html.append("<pre class=\"failure\">%s</pre>\n".formatted(Markup.escape(failure)));
    }
    return html.append("</section>\n").toString();
  }

  private static String chart(TraceReplay replay, int index, Scale scale) {
    AllocatorReplay result = replay.results().get(index);
    return """
    <figure class="chart" data-result="%d"><figcaption><b>%s</b> <span>%s</span>\
    <output></output></figcaption>
    %s
    </figure>
    """
        .formatted(
            index,
            result.kind().label(),
            Markup.escape(result.kind().title()),
            TimelineChart.svg(result, scale, replay.countOperations()));
  }
}
