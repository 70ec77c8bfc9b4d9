package dev.arenal.lab.report;

import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
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

  /** How many hold, which do not, and of which the error is too large; nothing without figures. */
  static List<String> sentence(String about, List<Claim> claims) {
    List<Claim> measured = claims.stream().filter(Claim::isMeasured).toList();
    return measured.isEmpty()
        ? List.of()
        : List.of(
            "%s: %d of %d claims reached%s%s."
                .formatted(
                    about,
                    measured.stream().filter(Claim::isReached).count(),
                    measured.size(),
                    which("; not ", Outcome.MISSED, measured),
                    which("; within the error ", Outcome.WITHIN_ERROR, measured)));
  }

  private static String which(String words, Outcome outcome, List<Claim> claims) {
    String which =
        claims.stream()
            .filter(claim -> claim.outcome() == outcome)
            .map(claim ->
                "%s (%s, wanted %s)".formatted(claim.what(), claim.shown(), claim.wanted()))
            .collect(Collectors.joining(", "));
    return which.isEmpty() ? "" : words + which;
  }
}
