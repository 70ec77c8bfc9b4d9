package dev.arenal.agent.sites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Methods whose names say the shape of every site in them, as each compiler writes them. */
final class SiteSourceShapesTest {
  private static final Pattern CASE = Pattern.compile("(?m)^  [\\w<> ]+ (\\w+_\\w+)\\(.*\\{");

  @ParameterizedTest
  @EnumSource(names = {"JAVAC", "ECLIPSE"})
  void everySite_hasTheShapeThatItsMethodIsNamedFor(SourceCompiler compiler) throws IOException {
    String source = source();
    List<Site> sites = SiteFinder.sites(compiler.compile("Shapes", source));

    List<String> wrong = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (Site site : sites) {
      String name = caseName(source, site.line());
      var _ = seen.add(name);
      if (site.shape() != expected(name)) {
        wrong.add(name + " has " + site);
      }
    }
    assertThat(wrong).isEmpty();
    // No method has been passed over, and no shape is untried but Kotlin's.
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            CASE.matcher(source).results().map(match -> match.group(1)).toList());
    assertThat(sites.stream().map(Site::shape).collect(Collectors.toSet()))
        .hasSize(SiteShape.values().length - 1)
        .doesNotContain(SiteShape.KOTLIN_USE);
  }

  @ParameterizedTest
  @EnumSource
  void site_knowsItsPlace(SourceCompiler compiler) {
    byte[] classFile =
        compiler.compile(
            "Place",
            """
            import java.lang.foreign.Arena;
            interface Place {
              default void open(int count) {
                if (count > 2) {
                  try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(count);
                  }
                }
              }
            }
            """);

    assertThat(SiteFinder.sites(classFile))
        .containsExactly(
            new Site(
                "Place",
                "open",
                "(I)V",
                5,
                SiteShape.TRY_WITH_RESOURCES,
                siteAt(classFile),
                false));
  }

  /** Both compilers begin with the comparison; ecj then clears two variables. */
  private static int siteAt(byte[] classFile) {
    return SiteFinder.sites(classFile).getFirst().bytecodeIndex() == 5 ? 5 : 9;
  }

  private static SiteShape expected(String caseName) {
    String shape = caseName.substring(0, caseName.indexOf('_')).toLowerCase(Locale.ROOT);
    return Arrays.stream(SiteShape.values())
        .filter(one -> one.name().replace("_", "").toLowerCase(Locale.ROOT).equals(shape))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("named for no shape: " + caseName));
  }

  /** By line, since a lambda is in a method of another name, which each compiler invents. */
  private static String caseName(String source, int line) {
    String until = source.lines().limit(line).collect(Collectors.joining("\n"));
    return CASE.matcher(until).results().map(match -> match.group(1)).reduce("", (_, last) -> last);
  }

  private static String source() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SiteSourceShapesTest.class.getResourceAsStream("Shapes.source"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
