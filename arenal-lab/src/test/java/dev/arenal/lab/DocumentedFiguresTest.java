package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Figures in README and in the pages of docs are made from results files, and those of the
 * objections are in tables that are: figures written by hand grow old unnoticed. Those of decisions
 * are history, and stay, and so do notes with a date.
 */
final class DocumentedFiguresTest {
  /** Times, shares and multiples. */
  private static final Pattern FIGURE =
      Pattern.compile(
          "(?<![\\w.,])\\d[\\d.,]*(?: ?%|(?<=\\d)[x×](?!\\w)"
              + "|\\s(?:times|percent|ns|nanoseconds|µs|microseconds|ms|milliseconds|s|seconds"
              + "|minutes)\\b)");

  /** Most figures that are measured have decimals, and hardly any other has. */
  private static final Pattern DECIMAL =
      Pattern.compile("(?<![\\w.,-])\\d[\\d,]*\\.\\d+(?![\\w.]*[\\d…])");

  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.,])\\d[\\d,]*(?:\\.\\d+)?");

  private static final Pattern GENERATED =
      Pattern.compile(
          "<!-- results:[a-z:-]*begin -->.*?<!-- results:[a-z:-]*end -->", Pattern.DOTALL);

  /** Commands and messages, and the targets of links. */
  private static final Pattern CODE =
      Pattern.compile("```.*?```|`[^`]*`|\\]\\([^)]*\\)", Pattern.DOTALL);

  /** Figures of pages that nobody measures: defaults, limits, and what words and claims mean. */
  private static final Set<String> SETTINGS =
      Set.of(
          "README.md: 1 s",
          "agent.md: 99 %",
          "burst.md: 15 seconds",
          "burst.md: 5 %",
          "burst.md: 15 %",
          "churn.md: 300 s",
          "churn.md: 1 s",
          "churn.md: 33 %",
          "churn.md: 5 %",
          "concurrency.md: 16 times",
          "concurrency.md: 10 s",
          "concurrency.md: 300 ms",
          "concurrency.md: 100 ms",
          "concurrency.md: 200 ms",
          "concurrency.md: 0.3 s",
          "concurrency.md: 20 ms",
          "guards.md: 20 ms",
          "jvm.md: 200 ms",
          "medium.md: 28 %",
          "medium.md: 6 %",
          "medium.md: 20 s",
          "medium.md: 62 %",
          "medium.md: 32 %",
          "medium.md: 40 %",
          "medium.md: 3 %",
          "medium.md: 99.9 %",
          "netty.md: 0.3 seconds",
          "pages.md: 300 milliseconds",
          "pages.md: 5 minutes",
          "pretouch.md: 100 ms",
          "pretouch.md: 99 %",
          "pretouch.md: 1.5 times",
          "pretouch.md: 4 times",
          "pretouch.md: 50 ms",
          "protocols.md: 50 ms",
          "protocols.md: 10 ms",
          "protocols.md: 50 times",
          "protocols.md: 20 ms",
          "protocols.md: 300 ms",
          "proxy.md: 1 s",
          "proxy.md: 60 %",
          "proxy.md: 10 %",
          "replay.md: 10 %",
          "replay.md: 16 seconds",
          "reports.md: 100 %",
          "statistics.md: 609 seconds",
          "statistics.md: 36599 seconds",
          "statistics.md: 3 ms",
          "statistics.md: 20 ms",
          "troubleshooting.md: 5 minutes");

  /** Measured, but not by a topic of docs/benchmarks. */
  private static final Set<String> MEASURED_ELSEWHERE =
      Set.of(
          "pooled.md: 190 µs", // an aid for tests, by number of blocks
          "replay.md: 12 %", // by the author of JEP 387, as the two that follow
          "replay.md: 18 %",
          "replay.md: 16 %");

  /** By the objection: figures of earlier results, which it dates, and versions. */
  private static final Map<String, Set<String>> IN_NO_TABLE =
      Map.of(
          "The control is not below the contenders.", Set.of("1.3"), // a ratio of two cells
          "The heaps are old.", Set.of("2.36", "2.1"),
          "All figures are of one virtual machine.", Set.of("7.0", "0.56", "0.76"));

  @Test
  void figures_areMadeFromResults() throws IOException {
    Set<String> written = new LinkedHashSet<>();
    for (Path document : pages()) {
      for (String figure : matches(FIGURE, prose(Files.readString(document)))) {
        written.add(document.getFileName() + ": " + figure);
      }
    }
    Set<String> known = new HashSet<>(SETTINGS);
    known.addAll(MEASURED_ELSEWHERE);
    assertThat(written)
        .as("figures written by hand; measure them into docs/benchmarks, or leave them out")
        .containsExactlyInAnyOrderElementsOf(known);
  }

  /** Of the topics that an objection names; it can stand on no other figure. */
  @Test
  void decimalsOfObjections_areInTheTables() throws IOException {
    Path benchmarks = Documents.root().resolve("docs/benchmarks");
    Map<String, Set<String>> tables = new HashMap<>();
    for (Path document : Documents.all()) {
      Path folder = Objects.requireNonNull(document.getParent());
      if (document.endsWith("tables.md") && folder.startsWith(benchmarks)) {
        tables.put(
            String.valueOf(folder.getFileName()),
            new HashSet<>(matches(NUMBER, Files.readString(document))));
      }
    }
    Map<String, Set<String>> written = new HashMap<>();
    for (String objection :
        Files.readString(benchmarks.resolve("objections.md")).split("\n\n", -1)) {
      Set<String> unknown = unknownDecimals(objection, tables);
      if (!unknown.isEmpty()) {
        written.put(objection.replaceAll("(?s)^\\*\\*\"(.*?)\"\\*\\*.*", "$1"), unknown);
      }
    }
    assertThat(tables).containsKeys("replay", "churn", "burst");
    assertThat(written)
        .as("figures that are in no table of the topics that the objection names")
        .isEqualTo(IN_NO_TABLE);
  }

  private static Set<String> unknownDecimals(String text, Map<String, Set<String>> tables) {
    Set<String> unknown = new HashSet<>(matches(DECIMAL, prose(text)));
    tables.forEach((topic, numbers) -> {
      if (text.contains("`" + topic + "`") || text.contains("(" + topic + "/")) {
        unknown.removeAll(numbers);
      }
    });
    return unknown;
  }

  @Test
  void checks_seeWhatStandsOutsideOfGeneratedSections() {
    String generated = "<!-- results:x:begin -->\n| 12 ns |\n<!-- results:x:end -->\n";
    String text =
        prose(
            generated
                + "takes 1,234 ns here, 8-12 % less, 3x, 2.5\ntimes\n```\n5 µs\n```\n`6 ms` 0.x\n");
    assertThat(matches(FIGURE, text)).containsExactly("1,234 ns", "12 %", "3x", "2.5\ntimes");
    Map<String, Set<String>> tables = Map.of("a", Set.of("1.5"), "b", Set.of("2.5"));
    assertThat(unknownDecimals("`a` takes 1.5, 2.5 and 3.5", tables)).containsOnly("2.5", "3.5");
    assertThat(unknownDecimals("[b](b/tables.md) takes 2.5", tables)).isEmpty();
  }

  /** README, and the pages of docs but those of decisions and results. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path document : Documents.all()) {
      Path folder = document.getParent();
      if ((folder != null && folder.endsWith("docs"))
          || document.equals(Documents.root().resolve("README.md"))) {
        pages.add(document);
      }
    }
    return pages;
  }

  private static String prose(String document) {
    return CODE.matcher(GENERATED.matcher(document).replaceAll("")).replaceAll("");
  }

  private static List<String> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(MatchResult::group).toList();
  }
}
