package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Times in README and in the pages of docs are made from results files: those written by hand grow
 * old unnoticed. Those of decisions are history, and stay.
 */
final class DocumentedFiguresTest {
  private static final Pattern TIME = Pattern.compile("\\d[\\d.,]* (ns|µs|nanoseconds)\\b");
  private static final Pattern GENERATED =
      Pattern.compile(
          "<!-- results:[a-z:-]*begin -->.*?<!-- results:[a-z:-]*end -->", Pattern.DOTALL);

  private static final Pattern FENCE = Pattern.compile("```.*?```", Pattern.DOTALL);

  /** Figures that a page has by hand, without a results file. */
  private static final Set<String> EXCEPTIONS = Set.of("pooled.md: 190 µs");

  @Test
  void times_areMadeFromResults() throws IOException {
    List<String> written = new ArrayList<>();
    for (Path document : Documents.all()) {
      Path folder = document.getParent();
      boolean isPage = folder != null && folder.endsWith("docs");
      boolean isReadme = document.equals(Documents.root().resolve("README.md"));
      if (isPage || isReadme) {
        for (String time : times(Files.readString(document))) {
          written.add(document.getFileName() + ": " + time);
        }
      }
    }
    assertThat(written)
        .as("times written by hand; measure them into docs/benchmarks, or leave them out")
        .containsOnlyOnceElementsOf(EXCEPTIONS)
        .hasSameSizeAs(EXCEPTIONS);
  }

  @Test
  void check_seesATimeOutsideOfGeneratedSections() {
    String generated = "<!-- results:x:begin -->\n| 12 ns |\n<!-- results:x:end -->\n";
    assertThat(times(generated + "takes 1,234 ns here\n```\n5 µs\n```\n"))
        .containsExactly("1,234 ns");
  }

  private static List<String> times(String document) {
    String prose = GENERATED.matcher(FENCE.matcher(document).replaceAll("")).replaceAll("");
    return TIME.matcher(prose).results().map(MatchResult::group).toList();
  }
}
