package dev.arenal.agent.rewrite;

import java.util.List;

/**
 * Patterns for class names with dots: {@code *} stands for any letters, dots too, and {@code ?} for
 * one. Without regular expressions, whose classes may not be loaded yet when it is asked.
 */
public final class NamePatterns {
  private final String[] patterns;

  /** Patterns as they were checked by {@link #isPattern}. */
  public NamePatterns(List<String> patterns) {
    this.patterns = patterns.toArray(String[]::new);
  }

  /** Whether it can match a class name at all. */
  public static boolean isPattern(String text) {
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter != '*'
          && letter != '?'
          && letter != '.'
          && letter != '-'
          && !Character.isJavaIdentifierPart(letter)) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  boolean isEmpty() {
    return patterns.length == 0;
  }

  /** Whether one of them matches. */
  public boolean matches(String className) {
    for (String pattern : patterns) {
      if (matches(pattern, className)) {
        return true;
      }
    }
    return false;
  }

  /** Goes back to the last star only, so the time is bounded by the product of both lengths. */
  private static boolean matches(String pattern, String name) {
    int p = 0;
    int star = -1;
    int resume = 0;
    int n = 0;
    while (n < name.length()) {
      char expected = p < pattern.length() ? pattern.charAt(p) : 0;
      if (expected == '*') {
        star = p++;
        resume = n;
      } else if (expected == '?' || expected == name.charAt(n)) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
