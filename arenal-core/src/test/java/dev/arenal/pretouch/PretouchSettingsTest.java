package dev.arenal.pretouch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The values of a pretouch: what cannot be meant is refused, and none of them ever changes. */
final class PretouchSettingsTest {
  @Test
  void whatCannotBeMeant_isRefused() {
    assertThatThrownBy(() -> Pretouch.upTo(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pretouch is negative: sizeBytes=-1");
    assertThatThrownBy(() -> Pretouch.all().threads(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("number of threads is negative: threads=-1 (expected 1 or more, or ALL_CORES)");
    assertThatThrownBy(() -> Pretouch.all().onNode(-7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NUMA node is negative: node=-7 (expected 0 or more, THIS_NODE or ANY_NODE)");
  }

  @Test
  void defaults_canBeSetAgain() {
    Pretouch usual =
        Pretouch.all().threads(3).onNode(0).threads(Pretouch.ALL_CORES).onNode(Pretouch.ANY_NODE);
    assertThat(usual.threadCount()).isEqualTo(Pretouch.all().threadCount());
    assertThat(usual.node()).isEqualTo(Pretouch.all().node());
  }

  @Test
  void eachSetting_isInTheNextOneOnly() {
    Pretouch usual = Pretouch.upTo(42);
    PretouchProgress progress = (doneBytes, totalBytes) -> {};
    Pretouch other =
        usual
            .threads(3)
            .withHugePages()
            .method(PretouchMethod.TOUCH)
            .onNode(Pretouch.THIS_NODE)
            .forced()
            .onProgress(progress)
            .cancelWhen(() -> true);
    assertThat(other.mostBytes()).isEqualTo(42);
    assertThat(other.threadCount()).isEqualTo(3);
    assertThat(other.hugePages()).isTrue();
    assertThat(other.method()).isEqualTo(PretouchMethod.TOUCH);
    assertThat(other.node()).isEqualTo(Pretouch.THIS_NODE);
    assertThat(other.isForced()).isTrue();
    assertThat(other.progress()).isSameAs(progress);
    assertThat(other.cancelled().getAsBoolean()).isTrue();
    assertThat(usual.threadCount()).isEqualTo(Pretouch.ALL_CORES);
    assertThat(usual.hugePages()).isFalse();
    assertThat(usual.method()).isNull();
    assertThat(usual.node()).isEqualTo(Pretouch.ANY_NODE);
    assertThat(usual.isForced()).isFalse();
    assertThat(usual.cancelled().getAsBoolean()).isFalse();
  }

  @Test
  void report_isALineForALog() {
    PretouchReport report =
        new PretouchReport(
            "space=s",
            PretouchMethod.POPULATE,
            2,
            true,
            1L << 31,
            4096,
            1L << 30,
            600,
            Duration.ofMillis(500));
    assertThat(report)
        .hasToString(
            "pretouched: space=s, touchedBytes=2147483648, pages=524288, hugePages=512,"
                + " method=POPULATE, threads=2, seconds=0.500, gibPerSecond=4.00, faults=600");
    assertThat(report.hugePageCount()).isEqualTo(512);
  }
}
