package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Plain;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The results of one experiment, in every form in which they are shown.
 *
 * <p>The page shows title, headline, findings and failures by itself; {@code parts} are the rest.
 *
 * @param name names its JSON file and its place in the page: small letters, digits and dashes
 * @param title its heading
 * @param headline the one sentence for a reader of nothing else, made from the figures; empty if
 *     there is nothing to say
 * @param json its results, as they are written to files and into the page
 * @param parts what it shows below its findings
 * @param findings what was seen, in plain sentences made from the figures
 * @param failures what went wrong, each a whole message
 */
public record Section(
    String name,
    String title,
    String headline,
    JsonNode json,
    List<Part> parts,
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
    parts = List.copyOf(parts);
    findings = List.copyOf(findings);
    failures = List.copyOf(failures);
  }

  /** One that says why there is nothing to show; nothing has failed. */
  static Section without(String name, String title, Object nothing, String reason) {
    return new Section(name, title, "", Json.tree(nothing), List.of(), List.of(reason), List.of());
  }

  /** The parts as lines for a terminal, with an empty one at the end. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(Plain.lines(parts));
    if (!lines.isEmpty()) {
      lines.add("");
    }
    return lines;
  }
}
