package dev.arenal.lab.figure;

import dev.arenal.lab.figure.Part.Explanation;
import dev.arenal.lab.figure.Part.Facts;
import dev.arenal.lab.figure.Part.Group;
import dev.arenal.lab.figure.Part.Heading;
import dev.arenal.lab.figure.Part.Layout;
import dev.arenal.lab.figure.Part.Links;
import dev.arenal.lab.figure.Part.Listing;
import dev.arenal.lab.figure.Part.Method;
import dev.arenal.lab.figure.Part.Note;
import dev.arenal.lab.figure.Part.SmallPrint;
import dev.arenal.lab.figure.Table.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Parts as HTML, for the style sheet and the script of the report. */
public final class Html {
  private static final int MOST_NAMES = 5;

  private final Markup html = new Markup();

  /** Of the next heading. */
  private int level = 3;

  private Html() {}

  /** The parts one below the other. */
  public static String of(List<? extends Part> parts) {
    Html html = new Html();
    parts.forEach(html::add);
    return html.html.toString();
  }

  /** A text of the page that is the same in every report. */
  public static String resource(String name) {
    try (InputStream in = Html.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("part of the report is missing from this build: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Part part) {
    switch (part) {
      case Facts facts -> html.text("p", facts.sentence(), "class", "facts");
      case Explanation explanation -> html.text("p", explanation.text());
      case Note note -> html.text("p", note.text(), "class", "note");
      case SmallPrint print -> html.text("p", print.text(), "class", "note");
      case Heading heading -> html.text("h" + level, heading.text());
      case Method method -> html.insert(resource(method.resource()));
      case Links links -> links(links);
      case Listing listing -> listing(listing);
      case Group group -> group(group);
      case Table table -> table(table);
      case LineChart chart -> new ChartMarkup(chart, html).write();
      case BarChart chart -> bars(chart);
      case ColumnChart chart -> columns(chart);
    }
    html.text("\n");
  }

  private void links(Links links) {
    html.open("p", "class", "jump").text(links.title() + ": ");
    for (int i = 0; i < links.ids().size(); i++) {
      html.text("a", links.names().get(i), "href", "#" + links.ids().get(i)).text(" ");
    }
    html.close();
  }

  private void listing(Listing listing) {
    html.open("figure").open("figcaption").text("b", listing.title()).text(" ");
    html.text("span", listing.subtitle()).close();
    html.text("pre", listing.text(), "class", "report").close();
  }

  private void group(Group group) {
    boolean isFolded = group.layout().isForPageOnly() || group.layout() == Layout.FOLDED;
    if (isFolded) {
      html.open("details", "class", group.layout().cssClass());
      if (group.layout() == Layout.DETAILS) {
        html.attribute("open", "");
      }
      html.text("summary", group.title());
      // Tables scroll in boxes of their own, and have all the width there is.
      boolean isGrid = group.parts().stream().noneMatch(Table.class::isInstance);
      html.text("\n").open("div", "class", isGrid ? Layout.GRID.cssClass() : "tables");
    } else if (group.id().isEmpty()) {
      html.open("div", "class", group.layout().cssClass());
    } else {
      html.open("section", "class", group.layout().cssClass(), "id", group.id());
      html.text("\n").text("h" + level, group.title());
      level++;
    }
    html.text("\n");
    group.parts().forEach(this::add);
    html.close();
    level -= group.id().isEmpty() ? 0 : 1;
    if (isFolded) {
      html.close();
    }
  }

  /** In a box of its own, which scrolls. The script of the page adds a button that copies it. */
  private void table(Table table) {
    html.open("div", "class", "table").open("table").text("\n").open("thead");
    if (table.hasGroups()) {
      html.open("tr");
      for (Span span : table.spans()) {
        if (span.group().isEmpty()) {
          html.open("td").close();
        } else {
          String count = String.valueOf(span.count());
          html.text("th", span.group(), "scope", "colgroup", "colspan", count);
        }
      }
      html.close().text("\n");
    }
    html.open("tr");
    table.columns().forEach(column -> html.text("th", column.name(), "scope", "col"));
    html.close().close().text("\n").open("tbody").text("\n");
    for (List<String> row : table.rows()) {
      html.open("tr").text("th", row.getFirst(), "scope", "row");
      row.subList(1, row.size()).forEach(cell -> html.text("td", cell));
      html.close().text("\n");
    }
    html.close().close().close();
  }

  private void caption(String title, String subtitle) {
    html.open("figcaption").text("b", title).text(" ").text("span", subtitle).close();
  }

  private void bars(BarChart chart) {
    if (chart.bars().isEmpty() && chart.empty().isEmpty()) {
      return;
    }
    boolean hasMark = chart.markAt() > 0;
    html.open("figure", "class", hasMark ? "bars" : "bars named");
    caption(chart.title(), chart.subtitle());
    if (chart.bars().isEmpty()) {
      html.text("p", chart.empty()).close();
      return;
    }
    String mark = Markup.percent(Math.max(0, chart.markAt()) / chart.longest());
    html.text("\n").open("ul", "style", "--live-at:" + mark).text("\n");
    for (BarChart.Bar bar : chart.bars()) {
      html.open("li").text("span", bar.name(), "class", "name");
      html.open("span", "class", "track");
      html.open(
              "span",
              "class",
              "bar " + bar.style().cssClasses() + (bar.isHatched() ? " hatched" : ""),
              "style",
              "width:" + Markup.percent(Math.max(0, bar.figure()) / chart.longest()))
          .close();
      html.close().text("span", bar.shown(), "class", "value").close().text("\n");
    }
    html.close().text("p", chart.note(), "class", "note").close();
  }

  private void columns(ColumnChart chart) {
    long largest = Math.max(1, chart.figures().stream().mapToLong(Long::longValue).max().orElse(1));
    int count = chart.figures().size();
    html.open("figure", "class", "columns");
    caption(chart.title(), "highest: " + Figures.count(largest));
    String box = "0 0 %d 100".formatted(10 * count);
    html.open("svg", "class", "one", "viewBox", box, "preserveAspectRatio", "none", "role", "img");
    for (int i = 0; i < count; i++) {
      long figure = chart.figures().get(i);
      // All that is there can be seen.
      double height = figure == 0 ? 0 : Math.max(0.6, 100.0 * figure / largest);
      html.open("g");
      html.text("title", chart.labels().get(i) + ": " + Figures.count(figure));
      // The whole height takes the pointer, so that small columns can be pointed at.
      rectangle("hit", 10 * i, 0, 10, 100);
      rectangle("column", 10 * i + 1, 100 - height, 8, height);
      html.close();
    }
    html.close().text("\n").open("div", "class", "names");
    int every = Math.max(1, Math.ceilDiv(count, MOST_NAMES));
    for (int i = 0; i < count; i += every) {
      html.text(
          "span", chart.labels().get(i), "style", "left:" + Markup.percent((double) i / count));
    }
    html.close().close();
  }

  private void rectangle(String kind, double x, double y, double width, double height) {
    html.empty(
        "rect",
        "class",
        kind,
        "x",
        Markup.coordinate(x),
        "y",
        Markup.coordinate(y),
        "width",
        Markup.coordinate(width),
        "height",
        Markup.coordinate(height));
  }
}
