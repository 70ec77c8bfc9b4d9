package dev.arenal.lab.report;

import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.result.Claim;
import java.util.List;
import java.util.stream.Collectors;

/** Claims as parts of a section, and in a sentence. */
final class Claims {
  private Claims() {}

  /**
   * A heading and a table of those claims of which there are figures; nothing if there are none.
   */
  static List<Part> parts(String heading, List<Claim> claims) {
    List<Claim> measured = claims.stream().filter(Claim::isMeasured).toList();
    if (measured.isEmpty()) {
      return List.of();
    }
    Table.Of<Claim> table = Table.of(measured).column("claim", Claim::what);
    if (measured.stream().anyMatch(claim -> !claim.original().isEmpty())) {
      table.column("original", Claim::original);
    }
    table.column("wanted", Claim::wanted);
    table.column("here", Claim::shown);
    table.column("verdict", claim -> claim.outcome().label());
    return List.of(new Part.Heading(heading), table.table());
  }

  /** How many hold, and which do not; nothing if there are no figures. */
  static List<String> sentence(String about, List<Claim> claims) {
    List<Claim> measured = claims.stream().filter(Claim::isMeasured).toList();
    List<Claim> missed = measured.stream().filter(claim -> !claim.isReached()).toList();
    String which =
        missed.stream()
            .map(claim ->
                "%s (%s, wanted %s)".formatted(claim.what(), claim.shown(), claim.wanted()))
            .collect(Collectors.joining(", "));
    return measured.isEmpty()
        ? List.of()
        : List.of(
            "%s: %d of %d claims reached%s."
                .formatted(
                    about,
                    measured.size() - missed.size(),
                    measured.size(),
                    which.isEmpty() ? "" : "; not " + which));
  }
}
