package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documentation in a browser, from disk, if {@code docs/site/build} has made it. */
@Tag("optional")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SiteTest {
  private static final Path SITE = Path.of("..", "target", "site", "html").normalize();
  private static final int WIDE = 1280;
  private static final int NARROW = 360;

  private Path root = Path.of("");
  private Chromium chromium;

  @BeforeAll
  void startChromium(@TempDir Path folder) throws Exception {
    Optional<Path> executable = Chromium.executable();
    requireOrSkip(executable.isPresent(), "no Chromium on the PATH: the site is not looked at");
    root = SITE.toAbsolutePath().normalize();
    requireOrSkip(
        Files.exists(root.resolve("README.html")),
        "no site in target/site/html (docs/site/build makes it): it is not looked at");
    chromium = Chromium.start(executable.orElseThrow(), folder.resolve("profile"));
  }

  /** The build that is there for it must not pass without it. */
  private static void requireOrSkip(boolean isThere, String reason) {
    if (System.getenv("ARENAL_SITE_REQUIRED") != null) {
      assertThat(isThere).as(reason).isTrue();
    }
    assumeTrue(isThere, reason);
  }

  @AfterAll
  void stopChromium() {
    if (chromium != null) {
      chromium.close();
    }
  }

  private List<Path> pages() throws Exception {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".html"))
          .filter(file -> !file.endsWith("index.html")) // leads to another page at once
          .sorted()
          .toList();
    }
  }

  /** Wide tables scroll in a box of their own. */
  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void pages_fitTheScreenAndAreAlone(int width) throws Exception {
    chromium.resize(width, 900);
    List<String> faults = new ArrayList<>();
    for (Path page : pages()) {
      chromium.open(page);
      String name = root.relativize(page).toString();
      int pageWidth = chromium.value("document.scrollingElement.scrollWidth").asInt();
      if (pageWidth > width) {
        faults.add(name + ": wider than the screen, by " + (pageWidth - width) + " pixels");
      }
      if (!page.endsWith("search.html") // has that of the window alone
          && chromium.text("document.querySelector('h1')?.innerText ?? ''").isBlank()) {
        faults.add(name + ": no title");
      }
      for (JsonNode thrown : chromium.events("Runtime.exceptionThrown")) {
        faults.add(name + ": " + thrown.path("exceptionDetails").path("exception"));
      }
      for (JsonNode entry : chromium.events("Log.entryAdded")) {
        faults.add(name + ": " + entry.path("entry").path("text").asText());
      }
      for (JsonNode request : chromium.events("Network.requestWillBeSent")) {
        String url = request.path("request").path("url").asText();
        if (!url.startsWith("file:") && !url.startsWith("data:")) {
          faults.add(name + ": asks for " + url);
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  /** Those of the side bar, too; addresses elsewhere are not followed. */
  @Test
  void links_leadToPlacesThatExist() throws Exception {
    chromium.resize(WIDE, 900);
    Map<String, Set<String>> anchors = new HashMap<>();
    Map<String, Set<String>> links = new HashMap<>();
    for (Path page : pages()) {
      chromium.open(page);
      String name = root.relativize(page).toString();
      anchors.put(name, texts("[...document.querySelectorAll('[id]')].map(each => each.id)"));
      links.put(name, texts("[...document.links].map(each => each.href)"));
    }
    List<String> dead = new ArrayList<>();
    links.forEach((name, addresses) -> {
      for (String address : addresses) {
        URI uri = URI.create(address);
        if ("file".equals(uri.getScheme()) && !isThere(uri, anchors)) {
          dead.add(name + ": " + root.toUri().relativize(uri));
        }
      }
    });
    assertThat(dead).isEmpty();
    assertThat(links.get("README.html")).hasSizeGreaterThan(50);
  }

  private boolean isThere(URI uri, Map<String, Set<String>> anchors) {
    Path file = Path.of(uri.getPath());
    String anchor = uri.getFragment();
    Set<String> there = anchors.get(root.relativize(file).toString());
    if (there == null || anchor == null || anchor.isEmpty()) {
      return Files.exists(file);
    }
    return there.contains(anchor);
  }

  private Set<String> texts(String expression) throws Exception {
    Set<String> texts = new HashSet<>();
    StreamSupport.stream(chromium.value(expression).spliterator(), false)
        .map(JsonNode::asText)
        .forEach(texts::add);
    return texts;
  }

  /** As a person searches: from any page, by the form of the side bar, to a page with the word. */
  @ParameterizedTest
  @ValueSource(strings = {"pretouch", "budget", "cgroup", "uncommit"})
  void search_findsPagesThatHaveTheWord(String word) throws Exception {
    chromium.resize(WIDE, 900);
    chromium.open(root.resolve("docs/faq.html"));
    chromium.follow(
        """
        (() => {
          const form = document.querySelector("form.sidebar-search-container");
          form.querySelector("input[name=q]").value = "%s";
          form.requestSubmit();
        })()
        """
            .formatted(word));
    String first = "document.querySelector('#search-results li a')";
    assertThat(awaited(first + "?.innerText ?? ''")).isNotBlank();
    chromium.follow(first + ".click()");
    assertThat(chromium.text("document.querySelector('article').innerText.toLowerCase()"))
        .contains(word);
  }

  @Test
  void search_saysThatNothingHasTheWord() throws Exception {
    chromium.open(URI.create(root.resolve("search.html").toUri() + "?q=nosuchword"));
    assertThat(awaited("document.querySelector('#search-results p')?.innerText ?? ''"))
        .contains("did not match any documents");
  }

  /** The side bar is beside a wide page, and comes out over a narrow one. */
  @Test
  void sideBar_isReachedOnAnyScreen() throws Exception {
    String left = "document.querySelector('.sidebar-drawer').getBoundingClientRect().right > 0";
    chromium.resize(WIDE, 900);
    chromium.open(root.resolve("README.html"));
    assertThat(chromium.value(left).asBoolean()).isTrue();
    chromium.resize(NARROW, 800);
    chromium.open(root.resolve("README.html"));
    assertThat(chromium.value(left).asBoolean()).isFalse();
    chromium.click(".mobile-header label[for=__navigation]");
    assertThat(awaited("String(%s || '')".formatted(left))).isEqualTo("true");
    assertThat(chromium.text("document.querySelector('.sidebar-drawer').innerText"))
        .contains("Getting started", "Troubleshooting");
  }

  /** The text of an expression once it is not empty; empty if that takes too long. */
  private String awaited(String expression) throws Exception {
    String text = "";
    for (int i = 0; i < 500 && text.isEmpty(); i++) {
      text = chromium.text(expression);
      Thread.sleep(10);
    }
    return text;
  }
}
