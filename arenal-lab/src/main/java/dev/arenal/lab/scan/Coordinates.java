package dev.arenal.lab.scan;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of an artifact in Maven's repositories.
 *
 * @param classifier empty where there is none
 */
record Coordinates(
    String group, String artifact, String packaging, String classifier, String version) {
  private static final String USUAL_PACKAGING = "jar";

  /**
   * The characters that Maven allows in a part; no slash, so that a path is never taken for
   * coordinates.
   */
  private static final Pattern PART = Pattern.compile("[A-Za-z0-9_.+\\-\\[\\](),]+");

  /** Empty if the text has another form than GROUP:ARTIFACT[:PACKAGING[:CLASSIFIER]]:VERSION. */
  static Optional<Coordinates> parse(String text) {
    List<String> parts = List.of(text.split(":", -1));
    if (!parts.stream().allMatch(part -> PART.matcher(part).matches())) {
      return Optional.empty();
    }
    int last = parts.size() - 1;
    return last < 2 || last > 4
        ? Optional.empty()
        : Optional.of(
            new Coordinates(
                parts.get(0),
                parts.get(1),
                last > 2 ? parts.get(2) : USUAL_PACKAGING,
                last > 3 ? parts.get(3) : "",
                parts.get(last)));
  }

  /** The coordinates for which a file lies where it does in a repository, as people write them. */
  static String ofRepository(Path path) {
    int nameCount = path.getNameCount();
    if (nameCount < 4) {
      return path.toString();
    }
    String artifact = path.getName(nameCount - 3).toString();
    String version = path.getName(nameCount - 2).toString();
    String file = path.getName(nameCount - 1).toString();
    String group = path.subpath(0, nameCount - 3).toString().replace(File.separatorChar, '.');
    String usual = artifact + "-" + version;
    int ending = file.lastIndexOf('.');
    String classifier =
        file.startsWith(usual + "-") && ending > usual.length()
            ? file.substring(usual.length() + 1, ending)
            : "";
    return new Coordinates(group, artifact, file.substring(ending + 1), classifier, version)
        .toString();
  }

  /** In the order in which Maven's dependency plugin wants them. */
  String forMaven() {
    String classified = classifier.isEmpty() ? "" : ":" + classifier;
    return group + ":" + artifact + ":" + version + ":" + packaging + classified;
  }

  /** As people write them. */
  @Override
  public String toString() {
    String kind = packaging.equals(USUAL_PACKAGING) && classifier.isEmpty() ? "" : ":" + packaging;
    String classified = classifier.isEmpty() ? "" : ":" + classifier;
    return group + ":" + artifact + kind + classified + ":" + version;
  }
}
