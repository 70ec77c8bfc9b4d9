package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AgentOptionsTest {
  private static final String EXPECTED =
      " (expected, separated by commas: sites=try-with-resources, sites=all, sites=none,"
          + " include=PATTERN, exclude=PATTERN, histogram=FILE, netty, netty=SECONDS, summary,"
          + " verbose)";

  @Test
  void nothing_isTheDefault() {
    AgentOptions defaults =
        new AgentOptions(false, false, List.of(), List.of(), null, false, false, null, false);
    assertThat(AgentOptions.parse(null)).isEqualTo(defaults);
    assertThat(AgentOptions.parse("")).isEqualTo(defaults);
    assertThat(AgentOptions.parse("sites=try-with-resources")).isEqualTo(defaults);
  }

  @Test
  void everything_isRead() {
    assertThat(
            AgentOptions.parse(
                "sites=all,include=a.*;b.?C$1,exclude=x,include=*z,histogram=/tmp/a=b-%p.json,"
                    + "summary,verbose,netty=30,dump"))
        .isEqualTo(
            new AgentOptions(
                false,
                true,
                List.of("a.*", "b.?C$1", "*z"),
                List.of("x"),
                "/tmp/a=b-%p.json",
                true,
                true,
                Duration.ofSeconds(30),
                true));
    assertThat(AgentOptions.parse("netty").nettyDelay()).isEqualTo(Duration.ofMinutes(5));
    assertThat(AgentOptions.parse("netty,sites=none").isNoSite()).isTrue();
  }

  @Test
  void garbage_isRefusedInOneLine() {
    assertRefused("Sites=all", "unknown option: option=Sites=all");
    assertRefused("summary,", "unknown option: option=");
    assertRefused(" summary", "unknown option: option= summary");
    assertRefused("sites=some", "no such choice of sites: option=sites=some");
    assertRefused("sites=structured", "no such choice of sites: option=sites=structured");
    assertRefused("sites", "option without its value: option=sites");
    assertRefused("histogram=", "option without its value: option=histogram=");
    assertRefused("sites=all,sites=all", "option given twice: option=sites=all");
    assertRefused("summary=yes", "option with a value that it does not take: option=summary=yes");
    assertRefused("netty,netty", "option given twice: option=netty");
    for (String netty : List.of("netty=", "netty=all", "netty=-1", "netty=1s", "netty=1234567")) {
      assertRefused(netty, "not a number of seconds of at most six digits: option=" + netty);
    }
    assertRefused(
        "include=a/b", "not a pattern of class names such as com.acme.*: option=include=a/b");
    assertRefused(
        "exclude=a;", "not a pattern of class names such as com.acme.*: option=exclude=a;");
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> AgentOptions.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message + EXPECTED);
  }
}
