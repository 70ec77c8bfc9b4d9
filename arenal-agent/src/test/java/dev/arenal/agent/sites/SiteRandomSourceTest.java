package dev.arenal.agent.sites;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Statements nested at random, with arenas as resources on even lines and arenas that a finally
 * closes by hand on odd ones: the line of a site tells its shape, whatever is around and inside.
 */
final class SiteRandomSourceTest {
  private static final int METHOD_COUNT = 60;
  private static final int MAX_DEPTH = 5;

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final StringBuilder source = new StringBuilder();
  private int lineCount = 1;
  private int nameCount;

  @ParameterizedTest
  @EnumSource(names = {"JAVAC", "ECLIPSE"})
  void shapes_areThoseOfTheSource(SourceCompiler compiler) {
    line("import java.lang.foreign.Arena;");
    line("class Nested {");
    line("static int flag; static void use(Object o) { flag++; }");
    for (int i = 0; i < METHOD_COUNT; i++) {
      line("int method" + i + "() throws Exception {");
      statements(0, false);
      line("return 1; }");
    }
    line("}");

    List<Site> sites = SiteFinder.sites(compiler.compile("Nested", source.toString()));

    assertThat(sites).as("seed=%d", seed).hasSizeGreaterThan(METHOD_COUNT);
    for (Site site : sites) {
      assertThat(site.shape())
          .as("seed=%d, site=%s, source:\n%s", seed, site, source)
          .isEqualTo(
              site.line() % 2 == 0 ? SiteShape.TRY_WITH_RESOURCES : SiteShape.CLOSED_IN_METHOD);
    }
  }

  private void statements(int depth, boolean isInLoop) {
    for (int i = random.nextInt(3); i >= 0; i--) {
      statement(depth, isInLoop);
    }
  }

  private void statement(int depth, boolean isInLoop) {
    switch (depth == MAX_DEPTH ? 0 : random.nextInt(11)) {
      case 0 -> line("use(flag);");
      case 1, 2, 3 -> tryWithResources(depth, isInLoop);
      case 4 -> tryFinally(depth, isInLoop);
      case 5 -> block("if (flag > " + random.nextInt(9) + ") {", depth, isInLoop, "}");
      case 6 -> block("while (flag < " + random.nextInt(9) + ") {", depth, true, "}");
      case 7 -> {
        block("try {", depth, isInLoop, "} catch (IllegalStateException e" + next() + ") {");
        statements(depth + 1, isInLoop);
        block("} finally {", MAX_DEPTH - 1, isInLoop, "}");
      }
      case 8 -> block("synchronized (this) {", depth, isInLoop, "}");
      case 9 -> line(isInLoop ? "if (flag == 3) continue;" : "if (flag == 4) return flag;");
      default -> line("if (flag == 5) throw new IllegalStateException();");
    }
  }

  private void tryWithResources(int depth, boolean isInLoop) {
    String name = "a" + next();
    pad(0);
    String more = random.nextBoolean() ? "; Arena b" + name + " = Arena.ofConfined()" : "";
    line("try (Arena " + name + " = Arena.ofConfined()" + more + ") {");
    line("use(" + name + ");");
    statements(depth + 1, isInLoop);
    if (random.nextInt(4) == 0) {
      line("} catch (RuntimeException e" + next() + ") {");
      statements(depth + 1, isInLoop);
    }
    line("}");
  }

  private void tryFinally(int depth, boolean isInLoop) {
    String name = "a" + next();
    pad(1);
    line("Arena " + name + " = Arena.ofConfined();");
    block("try { use(" + name + ");", depth, isInLoop, "} finally { " + name + ".close(); }");
  }

  private void block(String start, int depth, boolean isInLoop, String end) {
    line(start);
    statements(depth + 1, isInLoop);
    line(end);
  }

  private void pad(int parity) {
    if (lineCount % 2 != parity) {
      line("");
    }
  }

  private int next() {
    return nameCount++;
  }

  private void line(String text) {
    source.append(text).append('\n');
    lineCount++;
  }
}
