package dev.arenal.agent;

import dev.arenal.agent.rewrite.NamePatterns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of the agent.
 *
 * @param isNoSite whether no site uses the pool
 * @param isEverySite whether all sites use the pool, not only those that are try-with-resources
 * @param include patterns of classes; all if there is none
 * @param exclude patterns of classes
 * @param histogram the file that gets the figures
 * @param hasSummary whether one line is printed at the end
 * @param isVerbose whether a line is printed for each class
 * @param nettyDelay how long free memory of Netty's direct buffers stays; null: Netty allocates
 *     them itself
 * @param isDump whether a running agent is to write its figures now
 */
record AgentOptions(
    boolean isNoSite,
    boolean isEverySite,
    List<String> include,
    List<String> exclude,
    @Nullable String histogram,
    boolean hasSummary,
    boolean isVerbose,
    @Nullable Duration nettyDelay,
    boolean isDump) {
  /** That of page allocators. */
  static final Duration DEFAULT_NETTY_DELAY = Duration.ofMinutes(5);

  private static final int MOST_DIGITS = 6;

  private static final String EXPECTED =
      " (expected, separated by commas: sites=try-with-resources, sites=all, sites=none,"
          + " include=PATTERN, exclude=PATTERN, histogram=FILE, netty, netty=SECONDS, summary,"
          + " verbose)";

  /**
   * Reads the text behind the agent's jar.
   *
   * @throws IllegalArgumentException if it cannot be understood
   */
  static AgentOptions parse(@Nullable String text) {
    List<String> include = new ArrayList<>();
    List<String> exclude = new ArrayList<>();
    String sites = null;
    String histogram = null;
    boolean hasSummary = false;
    boolean isVerbose = false;
    Duration nettyDelay = null;
    boolean isDump = false;
    String all = text == null ? "" : text;
    for (String option : all.isEmpty() ? new String[0] : all.split(",", -1)) {
      int end = option.indexOf('=');
      String key = end < 0 ? option : option.substring(0, end);
      String value = end < 0 ? null : option.substring(end + 1);
      switch (key) {
        case "sites" -> sites = once(option, sites, value);
        case "histogram" -> histogram = once(option, histogram, value);
        case "include" -> addPatterns(include, option, value);
        case "exclude" -> addPatterns(exclude, option, value);
        case "summary" -> hasSummary = withoutValue(option, value);
        case "verbose" -> isVerbose = withoutValue(option, value);
        case "netty" -> nettyDelay = delay(option, nettyDelay, value);
        case "dump" -> isDump = withoutValue(option, value);
        default -> throw refusal("unknown option", option);
      }
    }
    boolean isNoSite = "none".equals(sites);
    boolean isEverySite = "all".equals(sites);
    if (sites != null && !isNoSite && !isEverySite && !sites.equals("try-with-resources")) {
      throw refusal("no such choice of sites", "sites=" + sites);
    }
    return new AgentOptions(
        isNoSite,
        isEverySite,
        List.copyOf(include),
        List.copyOf(exclude),
        histogram,
        hasSummary,
        isVerbose,
        nettyDelay,
        isDump);
  }

  private static String once(String option, @Nullable String before, @Nullable String value) {
    if (before != null) {
      throw refusal("option given twice", option);
    }
    return withValue(option, value);
  }

  private static Duration delay(String option, @Nullable Duration before, @Nullable String value) {
    if (before != null) {
      throw refusal("option given twice", option);
    }
    if (value == null) {
      return DEFAULT_NETTY_DELAY;
    }
    if (value.isEmpty()
        || value.length() > MOST_DIGITS
        || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw refusal("not a number of seconds of at most six digits", option);
    }
    return Duration.ofSeconds(Long.parseLong(value));
  }

  private static void addPatterns(List<String> patterns, String option, @Nullable String value) {
    for (String pattern : withValue(option, value).split(";", -1)) {
      if (!NamePatterns.isPattern(pattern)) {
        throw refusal("not a pattern of class names such as com.acme.*", option);
      }
      patterns.add(pattern);
    }
  }

  private static String withValue(String option, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw refusal("option without its value", option);
    }
    return value;
  }

  private static boolean withoutValue(String option, @Nullable String value) {
    if (value != null) {
      throw refusal("option with a value that it does not take", option);
    }
    return true;
  }

  private static IllegalArgumentException refusal(String what, String option) {
    return new IllegalArgumentException(what + ": option=" + option + EXPECTED);
  }
}
