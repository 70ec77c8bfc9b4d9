package dev.arenal.lab.report;

import dev.arenal.lab.buffers.Claim;
import java.util.List;
import java.util.stream.Collectors;

/** Claims as a table, and in a sentence. */
final class ClaimTable {
  private ClaimTable() {}

  static TextTable of(List<Claim> claims) {
    TextTable table =
        new TextTable()
            .column("", "claim")
            .column("", "wanted")
            .column("", "here")
            .column("", "verdict");
    for (Claim claim : claims) {
      table.row(List.of(claim.what(), claim.wanted(), claim.shown(), claim.verdict()));
    }
    return table;
  }

  /** How many hold, and which do not. */
  static String sentence(List<Claim> claims) {
    List<Claim> missed = claims.stream().filter(claim -> !claim.isReached()).toList();
    String which =
        missed.isEmpty()
            ? ""
            : "; not "
                + missed.stream()
                    .map(claim ->
                        "%s (%s, wanted %s)".formatted(claim.what(), claim.shown(), claim.wanted()))
                    .collect(Collectors.joining(", "));
    return "Of %d claims %d are reached%s."
        .formatted(claims.size(), claims.size() - missed.size(), which);
  }
}
