package dev.arenal.lab.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
  @Test
  void columns_areAlignedAndGroupsSpanTheirs() {
    Table table =
        new Table()
            .column("", "name")
            .column("at the peak", "used")
            .column("at the peak", "kept")
            .column("", "ms");
    table.row(List.of("elastic", "1.0", "12.5", "7"));
    table.row(List.of("x", "1000.0", "-", ""));

    assertThat(table.lines())
        .containsExactly(
            "          at the peak",
            "name       used  kept  ms",
            "elastic     1.0  12.5   7",
            "x        1000.0     -");
  }

  @Test
  void groupWiderThanItsColumns_widensThem() {
    Table table = new Table().column("", "n").column("a long heading", "v");
    table.row(List.of("a", "1"));

    assertThat(table.lines())
        .containsExactly("   a long heading", "n               v", "a               1");
  }

  @Test
  void withoutGroups_thereIsOneHeading() {
    Table table = new Table().column("", "a").column("", "b");

    assertThat(table.lines()).containsExactly("a  b");
  }

  @Test
  void rowThatDoesNotFit_isRefused() {
    Table table = new Table().column("", "a").column("", "b");

    assertThatThrownBy(() -> table.row(List.of("1")))
        .hasMessage("row does not fit the table: cellCount=1 (expected 2)");
  }

  @Test
  void html_spansGroupsAndEscapes() {
    Table table = new Table().column("", "a").column("g", "b").column("g", "c");
    table.row(List.of("<x>", "1", "2"));

    assertThat(Html.of(List.of(table)))
        .isEqualTo(
            """
            <div class="table"><table>
            <thead><tr><td></td><th scope="colgroup" colspan="2">g</th></tr>
            <tr><th scope="col">a</th><th scope="col">b</th><th scope="col">c</th></tr></thead>
            <tbody>
            <tr><th scope="row">&lt;x&gt;</th><td>1</td><td>2</td></tr>
            </tbody></table></div>
            """);
  }
}
