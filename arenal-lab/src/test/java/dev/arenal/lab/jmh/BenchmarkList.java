package dev.arenal.lab.jmh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The list that JMH has generated: a name that is not in it would fail after minutes only. */
public final class BenchmarkList {
  private BenchmarkList() {}

  /** Whether there is that benchmark. */
  public static boolean contains(JmhCell cell) throws IOException {
    String list;
    try (InputStream in = ClassLoader.getSystemResourceAsStream("META-INF/BenchmarkList")) {
      list = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    String name = cell.benchmark();
    String method = name.substring(name.lastIndexOf('.') + 1);
    String className = name.substring(0, name.length() - method.length() - 1);
    String simpleName = className.substring(className.lastIndexOf('.') + 1);
    return list.contains(" " + className + " ")
        && list.contains(".%s_%s_jmhTest ".formatted(simpleName, method));
  }
}
