package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What one experiment has to show, in every form it is shown in.
 *
 * <p>The page shows title, headline, findings and failures by itself; {@code html} has the rest.
 *
 * @param name names its JSON file and its place in the page: small letters, digits and dashes
 * @param title its heading
 * @param headline the one sentence for who reads nothing else, made from the figures; empty if
 *     there is nothing to say
 * @param json its results, as they are written to files and into the page
 * @param html its part of {@code report.html}
 * @param findings what was seen, in plain sentences made from the figures
 * @param failures what went wrong, each a whole message
 */
public record Section(
    String name,
    String title,
    String headline,
    JsonNode json,
    String html,
    List<String> findings,
    List<String> failures) {
  /** The section whose results are {@code results.json}. */
  public static final String REPLAY = "replay";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

  /** Names of files and of places in the page that are not a section's. */
  private static final Set<String> TAKEN =
      Set.of("results", "env", "report", "data", "machine", "environment");

  /** Checks the name and keeps copies. */
  public Section {
    if (!NAME.matcher(name).matches() || TAKEN.contains(name)) {
      throw new IllegalArgumentException(
          ("section cannot have this name: name=%s (expected small letters, digits and dashes,"
                  + " and none of %s)")
              .formatted(name, TAKEN.stream().sorted().toList()));
    }
    findings = List.copyOf(findings);
    failures = List.copyOf(failures);
  }
}
