package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a browser, from disk: what is seen, clicked, copied and printed. */
@Tag("optional")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReportPageTest {
  private static final String WIDE = "#replay-trace-1 figure.chart:not(.small)";

  private Path folder = Path.of("");
  private Chromium chromium;

  @BeforeAll
  void startChromium(@TempDir Path shared) throws Exception {
    folder = shared;
    Optional<Path> executable = Chromium.executable();
    assumeTrue(executable.isPresent(), "no Chromium on the PATH: the page is not looked at");
    ReportFolder.write(folder, SampleReport.sections());
    chromium = Chromium.start(executable.orElseThrow(), folder.resolve("profile"));
    var _ =
        chromium.call(
            "Browser.grantPermissions",
            Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
  }

  @AfterAll
  void stopChromium() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void openPage() throws Exception {
    chromium.resize(1200, 900);
    prefer("light");
    chromium.open(folder.resolve("report.html"));
  }

  @AfterEach
  void pageIsQuietAndAlone() {
    assertThat(chromium.events("Runtime.exceptionThrown")).isEmpty();
    assertThat(chromium.events("Runtime.consoleAPICalled")).isEmpty();
    assertThat(chromium.events("Log.entryAdded")).isEmpty();
    assertThat(chromium.events("Network.requestWillBeSent"))
        .as("that for the page itself, and none that leaves the machine")
        .extracting(event -> event.path("request").path("url").asText())
        .contains(folder.resolve("report.html").toUri().toString())
        .allMatch(url -> url.startsWith("file:") || url.startsWith("blob:"));
  }

  @Test
  void colours_followTheSystemUntilTheButtonSaysOtherwise() throws Exception {
    String light = background();
    prefer("dark");
    String dark = background();
    assertThat(dark).isNotEqualTo(light);
    assertThat(awaited("theme.textContent", "Light")).isEqualTo("Light colours");
    chromium.click("#theme");
    assertThat(background()).isEqualTo(light);
    assertThat(awaited("theme.textContent", "Dark")).isEqualTo("Dark colours");
    chromium.click("#theme");
    assertThat(background()).isEqualTo(dark);

    chromium.open(folder.resolve("report.html"));
    prefer("light");
    assertThat(background()).as("remembered in the page only").isEqualTo(light);
  }

  @Test
  void pointingAtAChart_showsItsValuesAndThoseOfItsGroup() throws Exception {
    chromium.pointAt(WIDE + " .field", 0.4, 0.5);

    // Two fifths are the peak: 295 MiB live, and 2 MiB more resident.
    assertThat(chromium.text("document.querySelector('%s .tip b').textContent".formatted(WIDE)))
        .isEqualTo("2,400,000 operations");
    assertThat(chromium.text("document.querySelector('%s .tip').innerText".formatted(WIDE)))
        .contains("live\t295.0 MiB", "malloc\t297.0 MiB");
    String alone = "document.querySelectorAll('#replay-trace-1 .small')[1]";
    assertThat(chromium.text(alone + ".querySelector('.legend').innerText")).contains("298.0 MiB");
    assertThat(chromium.value("document.querySelectorAll('#jvm .cross').length").asInt())
        .as("of another group")
        .isZero();

    chromium.pointAt("h1", 0.5, 0.5);
    assertThat(chromium.value("document.querySelectorAll('.tip, .cross, .dot').length").asInt())
        .isZero();
  }

  /** A microsecond on an axis of milliseconds is not nothing, nor two and a half nines three. */
  @Test
  void smallValues_keepTheirDigits() throws Exception {
    String chart = "#medium figure.chart:nth-of-type(2)";
    chromium.pointAt(chart + " .field", 1.5 / 4, 0.5);
    assertThat(chromium.text("document.querySelector('%s .tip').innerText".formatted(chart)))
        .contains("1.5 nines", "unsynchronized\t0.001 ms", "synchronized\t0.001 ms");
  }

  @ParameterizedTest
  @ValueSource(ints = {1200, 360})
  void values_standWholeInsideTheFigure(int width) throws Exception {
    chromium.resize(width, 800);
    for (double share : new double[] {0.01, 0.3, 0.5, 0.7, 0.99}) {
      chromium.pointAt(WIDE + " .field", share, 0.5);
      assertThat(
              chromium.text(
                  """
                  (() => {
                    const tip = document.querySelector(".tip").getBoundingClientRect();
                    const figure = document.querySelector("%s").getBoundingClientRect();
                    const keys = [...document.querySelectorAll(".tip .key")];
                    return [tip.left >= figure.left, tip.right <= figure.right,
                      keys.every((key) => key.getBoundingClientRect().height < 20),
                      document.scrollingElement.scrollWidth <= innerWidth].join();
                  })()
                  """
                      .formatted(WIDE)))
          .as("at %s", share)
          .isEqualTo("true,true,true,true");
    }
  }

  @Test
  void keys_moveAlongAChart() throws Exception {
    var _ = chromium.value("document.querySelector('#jvm .plot').focus({ focusVisible: true })");
    chromium.press("End");
    assertThat(chromium.text("document.querySelector('#jvm .plot').ariaValueText"))
        .isEqualTo("41.9 s: JDK 11 a|b -, JDK 12 a|b -, JDK 13 a|b -, JDK 14 a|b 289.0 MiB");
    chromium.press("Home");
    chromium.press("ArrowRight");
    assertThat(chromium.text("document.querySelector('#jvm .plot').ariaValueText"))
        .startsWith("0.1 s: JDK 11 a|b 61.0 MiB");
    chromium.press("Escape");
    assertThat(chromium.value("document.querySelectorAll('.cross').length").asInt()).isZero();
  }

  @Test
  void touch_showsValuesThatStay() throws Exception {
    var _ =
        chromium.value(
            "document.querySelector('#jvm .field').scrollIntoView({ behavior: 'instant' })");
    JsonNode box =
        chromium.value(
            "(b => [b.left + b.width / 2, b.top + 40])"
                + "(document.querySelector('#jvm .field').getBoundingClientRect())");
    Map<String, Object> point = Map.of("x", box.get(0).asDouble(), "y", box.get(1).asDouble());
    var _ =
        chromium.call(
            "Input.dispatchTouchEvent",
            Map.of("type", "touchStart", "touchPoints", List.of(point)));
    var _ =
        chromium.call(
            "Input.dispatchTouchEvent", Map.of("type", "touchEnd", "touchPoints", List.of()));

    assertThat(chromium.text("document.querySelector('#jvm .tip b').textContent"))
        .isEqualTo("20.9 s");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void copyAsMarkdown_givesTheTable(boolean hasClipboard) throws Exception {
    if (!hasClipboard) {
      var _ =
          chromium.value(
              "navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    }
    var _ =
        chromium.value(
            """
            (() => {
              const button = document.querySelector("#jvm .tools button");
              window.labels = [];
              new MutationObserver(() => window.labels.push(button.textContent))
                .observe(button, {childList: true, characterData: true, subtree: true});
              return true;
            })()
            """);
    chromium.click("#jvm .tools button");

    assertThat(awaited("window.labels.join()", "Copied")) // also if that is over by now
        .startsWith("Copied");
    assertThat(chromium.text("navigator.clipboard.readText()"))
        .isEqualTo(
            """
            | JVM | at the valley: used |
            | --- | ---: |
            | JDK 11 a\\|b | 60.0 |
            | JDK 12 a\\|b | 60.1 |
            | JDK 13 a\\|b | 60.2 |
            | JDK 14 a\\|b | 60.3 |
            """);
    assertThat(awaited("window.labels.join()", "Copied,"))
        .as("after a while")
        .isEqualTo("Copied,Copy as Markdown");
  }

  @Test
  void everyTable_canBeCopied() throws Exception {
    assertThat(chromium.value("document.querySelectorAll('.tools button').length").asInt())
        .isEqualTo(tableCount());
    assertThat(tableCount())
        .as("tables")
        .isGreaterThanOrEqualTo(
            chromium.value("document.querySelectorAll('section.experiment').length").asInt());
    chromium.click("#replay-trace-1 .tools button");
    assertThat(awaited("navigator.clipboard.readText()", "| allocator | ms |"))
        .startsWith(
            "| allocator | ms | ns/alloc | header | peak: comm. | peak: res. | valley: comm. |");
  }

  private int tableCount() throws Exception {
    return chromium.value("document.querySelectorAll('.table table').length").asInt();
  }

  @Test
  void rawData_canBeCopiedAndSaved() throws Exception {
    JsonNode results = new ObjectMapper().readTree(folder.resolve("results.json").toFile());
    JsonNode jvm = new ObjectMapper().readTree(folder.resolve("jvm.json").toFile());
    chromium.click("#copy-json");
    JsonNode copied = new ObjectMapper().readTree(awaited("navigator.clipboard.readText()", "{"));
    assertThat(copied.path("replay")).isEqualTo(results);
    assertThat(copied.path("jvm")).isEqualTo(jvm);

    Path downloads = Files.createDirectories(folder.resolve("downloads"));
    var _ =
        chromium.call(
            "Page.setDownloadBehavior",
            Map.of("behavior", "allow", "downloadPath", downloads.toString()));
    chromium.click("#save");
    Path saved = downloads.resolve("arenal-report.json");
    for (int i = 0; i < 3000 && !Files.exists(saved); i++) {
      Thread.sleep(10);
    }
    assertThat(new ObjectMapper().readTree(saved.toFile())).isEqualTo(copied);
  }

  @Test
  void links_leadToPlacesThatThereAre() throws Exception {
    assertThat(
            chromium.text(
                """
                [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"))
                  .filter((href) => !document.getElementById(href.slice(1))).join()
                """))
        .isEmpty();
    chromium.click(".verdicts li:nth-child(2) a");
    assertThat(chromium.text("location.hash")).isEqualTo("#jvm");
  }

  @ParameterizedTest
  @ValueSource(ints = {1200, 768, 360})
  void page_doesNotScrollSideways(int width) throws Exception {
    chromium.resize(width, 800);

    assertThat(chromium.value("document.scrollingElement.scrollWidth").asInt())
        .isLessThanOrEqualTo(width);
    // Elements that stick out of the page, except those that scroll in their own box.
    assertThat(
            chromium.text(
                """
                [...document.querySelectorAll("body *")]
                  .filter((e) => !e.closest(".table, pre, [hidden]"))
                  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
                  .map((e) => e.tagName + "." + e.className).join()
                """))
        .isEmpty();
    // No text of a chart lies on another.
    assertThat(
            chromium.text(
                """
                [...document.querySelectorAll(".field")].flatMap((field) => {
                  const texts = [...field.querySelectorAll("span")]
                    .filter((e) => e.textContent && getComputedStyle(e).display !== "none")
                    .map((e) => [e.textContent, e.getBoundingClientRect()]);
                  return texts.flatMap(([a, p], i) => texts.slice(i + 1)
                    .filter(([b, q]) => p.left < q.right - 1 && q.left < p.right - 1
                      && p.top < q.bottom - 1 && q.top < p.bottom - 1)
                    .map(([b]) => a + " on " + b));
                }).join()
                """))
        .isEmpty();
  }

  @Test
  void print_hasPagesAndWorksWithoutScripts() throws Exception {
    int tableCount = tableCount();
    prefer("dark");
    var _ = chromium.call("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    try {
      chromium.open(folder.resolve("report.html"));
      byte[] pdf =
          Base64.getDecoder()
              .decode(
                  chromium
                      .call("Page.printToPDF", Map.of("printBackground", true))
                      .path("data")
                      .asText());
      String text = new String(pdf, StandardCharsets.ISO_8859_1);
      assertThat(text).startsWith("%PDF-");
      assertThat(text.split("/Type /Page\\b", -1).length - 1)
          .as("pages of paper")
          .isBetween(2, tableCount);
    } finally {
      var _ = chromium.call("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    }
    var _ = chromium.call("Emulation.setEmulatedMedia", Map.of("media", "print"));
    assertThat(background()).as("paper is white").isEqualTo("rgb(255, 255, 255)");
    var _ = chromium.call("Emulation.setEmulatedMedia", Map.of("media", ""));
  }

  @Test
  void emptyStates_areSaidInWords() throws Exception {
    assertThat(chromium.text("document.body.innerText"))
        .contains(
            "This trace has no valley in which something is live, so there is nothing to compare.",
            "No allocator has replayed this trace to its end.",
            "broken.trace: malloc ended: exit=1",
            "1 failed");
  }

  private String background() throws Exception {
    return chromium.text("getComputedStyle(document.body).backgroundColor");
  }

  private void prefer(String colours) throws Exception {
    var _ =
        chromium.call(
            "Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
  }

  /** The value as soon as it begins like that, or whatever it is after some seconds. */
  private String awaited(String expression, String beginning) throws Exception {
    String text = chromium.text(expression);
    for (int i = 0; i < 600 && !text.startsWith(beginning); i++) {
      Thread.sleep(50);
      text = chromium.text(expression);
    }
    return text;
  }
}
