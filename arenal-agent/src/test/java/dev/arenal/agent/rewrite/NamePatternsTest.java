package dev.arenal.agent.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class NamePatternsTest {
  @Test
  void patterns_matchWholeNames() {
    assertMatches("com.acme.*", "com.acme.A", true);
    assertMatches("com.acme.*", "com.acme.b.C$D", true);
    assertMatches("com.acme.*", "com.acme", false);
    assertMatches("com.acme.A", "com.acme.A$B", false);
    assertMatches("*", "", true);
    assertMatches("a?c", "abc", true);
    assertMatches("a?c", "ac", false);
    assertThat(new NamePatterns(List.of("a", "b")).matches("b")).isTrue();
    assertThat(new NamePatterns(List.of()).matches("a")).isFalse();
  }

  @Test
  void everyPattern_matchesWhatTheSameRegularExpressionDoes() {
    long seed = Long.getLong("test.seed", 42);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String pattern = text(random, "ab*?*");
      String name = text(random, "ab");
      String regex = pattern.replace("*", ".*").replace('?', '.');
      assertThat(new NamePatterns(List.of(pattern)).matches(name))
          .as("pattern=%s, name=%s, seed=%d", pattern, name, seed)
          .isEqualTo(Pattern.matches(regex, name));
    }
  }

  @Test
  void manyStars_takeNoTimeToSpeakOf() {
    String pattern = "*a".repeat(1000) + "b";
    assertMatches(pattern, "a".repeat(5000), false);
  }

  private static void assertMatches(String pattern, String name, boolean expected) {
    assertThat(new NamePatterns(List.of(pattern)).matches(name)).isEqualTo(expected);
  }

  private static String text(Random random, String letters) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }
}
