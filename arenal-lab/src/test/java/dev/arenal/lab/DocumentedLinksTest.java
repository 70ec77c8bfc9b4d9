package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between documents lead to files that are there, and to headings that are in them. */
final class DocumentedLinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
  private static final String FENCE = "```";
  private static final int MOST_LINES_OF_README = 150;

  @Test
  void everyLink_leadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int linkCount = 0;
    for (Path document : Documents.all()) {
      for (String target : links(document)) {
        linkCount++;
        if (!isThere(document, target)) {
          broken.add(Documents.root().relativize(document) + ": " + target);
        }
      }
    }
    assertThat(broken).as("links that lead nowhere").isEmpty();
    assertThat(linkCount).isGreaterThan(200);
  }

  @Test
  void everyPage_canBeReachedFromReadme() throws IOException {
    Set<Path> reached = new HashSet<>();
    reach(Documents.root().resolve("README.md"), reached);
    assertThat(reached).containsAll(Documents.all());
  }

  @Test
  void readme_staysShort() throws IOException {
    assertThat(Files.readAllLines(Documents.root().resolve("README.md")))
        .hasSizeLessThanOrEqualTo(MOST_LINES_OF_README);
  }

  @Test
  void check_seesABrokenLink() throws IOException {
    Path readme = Documents.root().resolve("README.md");
    assertThat(isThere(readme, "docs/pages.md#settings")).isTrue();
    assertThat(isThere(readme, "docs/pages.md#no-such-heading")).isFalse();
    assertThat(isThere(readme, "docs/no-such-page.md")).isFalse();
    assertThat(isThere(readme, "docs/adr")).isFalse();
    assertThat(slug("The lab's `report`, and *more*")).isEqualTo("the-labs-report-and-more");
  }

  private static void reach(Path document, Set<Path> reached) throws IOException {
    if (!reached.add(document)) {
      return;
    }
    for (String target : links(document)) {
      Path file = file(document, target);
      if (target.contains(".md") && Files.exists(file)) {
        reach(file, reached);
      }
    }
  }

  private static boolean isThere(Path document, String target) throws IOException {
    int hash = target.indexOf('#');
    Path file = file(document, target);
    if (!Files.isRegularFile(file)) { // the site has no page for a folder
      return false;
    }
    return hash < 0 || anchors(file).contains(target.substring(hash + 1));
  }

  private static Path file(Path document, String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    return path.isEmpty()
        ? document
        : Objects.requireNonNull(document.getParent()).resolve(path).normalize();
  }

  /** Those inside of the repository. */
  private static List<String> links(Path document) throws IOException {
    List<String> links = new ArrayList<>();
    for (String line : prose(document)) {
      Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("code"));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://") && !target.startsWith("mailto:")) {
          links.add(target);
        }
      }
    }
    return links;
  }

  private static Set<String> anchors(Path document) throws IOException {
    Map<String, Integer> counts = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    for (String line : prose(document)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String slug = slug(heading.group(1));
        int before = counts.merge(slug, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? slug : slug + "-" + before);
      }
    }
    return anchors;
  }

  /** As GitHub makes it: letters, digits, hyphens, and a hyphen for each space. */
  private static String slug(String heading) {
    String text = heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").strip();
    return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static List<String> prose(Path document) throws IOException {
    List<String> prose = new ArrayList<>();
    boolean isInFence = false;
    for (String line : Files.readAllLines(document)) {
      if (line.startsWith(FENCE)) {
        isInFence = !isInFence;
      } else if (!isInFence) {
        prose.add(line);
      }
    }
    return prose;
  }
}
