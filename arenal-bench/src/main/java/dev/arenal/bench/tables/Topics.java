package dev.arenal.bench.tables;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The topics that have tables of their own kind; every other one is a benchmark of JMH. */
final class Topics {
  static final String REPLAY = "replay";
  static final String JVM = "jvm";
  static final String CONFINED = "confined";
  static final String MEDIUM = "medium";
  static final String BUFFERS = "buffers";
  static final String CHURN = "churn";
  static final String BURST = "burst";
  static final String PRETOUCH = "pretouch";
  static final String FIRST_USE = "first-use";
  static final String PROXY = "proxy";
  static final String SPARK = "spark";
  static final String OWNER_ALLOCATION = "owner-allocation";

  /** The marked section about churn and burst. */
  static final String PAGES = "pages";

  /** From the topic to its picture, seen from the root. */
  private static final Map<String, String> PICTURES =
      Map.of(
          REPLAY, "docs/images/by-class.svg",
          JVM, "docs/images/jvm.svg",
          CONFINED, "docs/images/confined.svg");

  /** Those whose tables another run of the same command can have, in a folder of its own. */
  private static final List<String> REPEATED = List.of(REPLAY);

  private Topics() {}

  /** The topic whose kind of tables this one has: {@code replay} for {@code replay-other-heaps}. */
  static String kind(String topic) {
    return REPEATED.stream().filter(kind -> topic.startsWith(kind + "-")).findFirst().orElse(topic);
  }

  /**
   * The folder of a run with other settings than those of the topic itself.
   *
   * @param variant the settings; empty for the topic itself
   * @throws IllegalArgumentException if the topic has no variants
   */
  static String variant(String topic, String variant) {
    if (variant.isEmpty()) {
      return topic;
    }
    if (!REPEATED.contains(topic)) {
      throw new IllegalArgumentException(
          "topic has no variants: topic=%s, variant=%s (expected one of %s)"
              .formatted(topic, variant, String.join(", ", REPEATED)));
    }
    return topic + "-" + variant;
  }

  static boolean hasPicture(String topic) {
    return PICTURES.containsKey(topic);
  }

  /** The picture of a topic, seen from the root. */
  static String picture(String topic) {
    return Objects.requireNonNull(PICTURES.get(topic), topic);
  }

  /** The page of a topic in its folder, which for confined arenas is the whole of it. */
  static String page(String topic) {
    return topic.equals(CONFINED) ? "README.md" : "tables.md";
  }
}
