package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MarkedSectionTest {
  @Test
  void replace_changesOnlyWhatIsBetweenTheMarkers() {
    String document = "a\n<!-- results:begin -->\nold\n<!-- results:end -->\nb\n";
    assertThat(MarkedSection.replace("README.md", document, "new\n"))
        .isEqualTo("a\n<!-- results:begin -->\nnew\n<!-- results:end -->\nb\n");
  }

  @Test
  void namedSection_isReplacedWhereThereIsOne() {
    String document =
        """
        <!-- results:begin -->
        a
        <!-- results:end -->
        <!-- results:x:begin -->
        old
        <!-- results:x:end -->
        """;
    assertThat(MarkedSection.replaceNamed("README.md", document, "x", "new"))
        .isEqualTo(
            """
            <!-- results:begin -->
            a
            <!-- results:end -->
            <!-- results:x:begin -->
            new
            <!-- results:x:end -->
            """);
    assertThat(MarkedSection.replace("README.md", document, "b")).contains("\nb\n", "\nold\n");
    assertThat(MarkedSection.replaceNamed("README.md", document, "y", "new")).isEqualTo(document);
    assertThatThrownBy(
            () -> MarkedSection.replaceNamed("README.md", "<!-- results:y:end -->", "y", "new"))
        .hasMessage(
            "markers are wrong: file=README.md (expected one line <!-- results:y:begin --> and"
                + " after it one line <!-- results:y:end -->)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no markers",
        "<!-- results:begin --> and no end",
        "<!-- results:end --> before <!-- results:begin -->",
        "<!-- results:begin --><!-- results:begin --><!-- results:end -->",
      })
  void replace_refusesMarkersThatAreNotOnePair(String document) {
    assertThatThrownBy(() -> MarkedSection.replace("README.md", document, "new"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "markers are wrong: file=README.md (expected one line <!-- results:begin --> and after"
                + " it one line <!-- results:end -->)");
  }
}
