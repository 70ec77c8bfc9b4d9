package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.buffers.Loads;
import dev.arenal.lab.figure.Html;
import org.junit.jupiter.api.Test;

/** Churn and burst as they are shown, from made-up figures. */
final class LoadSectionTest {
  @Test
  void churn_hasTheAgreedJson() {
    Section section = ChurnSection.of(Loads.churns());
    JsonNode first = section.json().path("results").path(0);

    assertThat(section.json().path("results")).hasSize(6);
    assertThat(first.path("allocator").asText()).isEqualTo("arenal");
    assertThat(first.path("threads").asInt()).isEqualTo(1);
    assertThat(first.path("nanosPerOperation").asDouble()).isEqualTo(200);
    assertThat(first.path("liveBytes").asLong()).isEqualTo(100 << 20);
    assertThat(first.path("residentBytes").asLong()).isEqualTo(117_440_512);
    assertThat(first.path("delaySeconds").asDouble()).isEqualTo(300);
    assertThat(first.path("p999AllocationNanos").asLong()).isEqualTo(2000);
    assertThat(first.path("compilerMillis").asLong()).isEqualTo(7);
    assertThat(section.json().path("results").path(1).path("delaySeconds").isNull()).isTrue();
    assertThat(first.path("timeline")).hasSize(5);
    assertThat(first.path("timeline").path(1)).hasToString("[250,104857600,115343360,50000]");
    assertThat(section.json().path("controls").path(1).path("threads").asInt()).isEqualTo(16);
    assertThat(section.failures()).containsExactly("churn died: allocator=malloc, threads=16");
  }

  @Test
  void churn_saysInWordsWhatWasSeen() {
    Section section = ChurnSection.of(Loads.churns());

    assertThat(section.headline())
        .isEqualTo(
            "While random buffers replace each other, 16 threads, PageAllocator keeps 1.40 bytes"
                + " for each that is live; the others keep 2.50 (netty-adaptive).");
    assertThat(section.findings())
        .containsExactly(
            "Churn, 1 thread: PageAllocator 1.12 resident over live at most, 200 ns an operation,"
                + " of which 100 are the harness; netty-adaptive 1.75 and 400 ns; of the heaps"
                + " malloc keeps least, 1.37, and takes 300 ns.",
            "Churn, 16 threads: PageAllocator 1.40 resident over live at most, 250 ns an"
                + " operation, of which 120 are the harness; netty-adaptive 2.50 and 240 ns.",
            "As good as arenal or better, 1 thread: in highest resident over live (1.12) no rival;"
                + " in ns an operation (200) no rival; in p99.9 of an allocation, ns (2,000) no"
                + " rival.",
            "As good as arenal or better, 16 threads: in highest resident over live (1.40) no"
                + " rival; in ns an operation (250) netty-adaptive (240); in p99.9 of an"
                + " allocation, ns (2,500) netty-adaptive (2,400).",
            "Churn: 3 of 6 claims reached; not resident over live, highest, 16 threads (1.40,"
                + " wanted <= 1.25), growth of it along the way, 16 threads (+17.4 %, wanted <= 5"
                + " %), operations a second, 16 threads (4.00 M (0.96x), wanted >= 4.17 M"
                + " (netty-adaptive)).");
    assertThat(Html.of(section.parts()))
        .contains(
            "1,000 random buffers replaced in each row, 100.0 MiB live",
            "jemalloc is left out: none here",
            "within the runs shown they took 7 ms at most.",
            "<h3>Claims</h3>",
            "16 threads");
  }

  @Test
  void churn_tableLinesUp() {
    assertThat(ChurnSection.of(Loads.churns()).lines())
        .startsWith(
            "churn: 1,000 random buffers replaced in each row, 100.0 MiB live, sizes 64 B to 4 MiB"
                + " around 4 KiB")
        .anySatisfy(line ->
            assertThat(line)
                .matches(
                    "arenal +no +300 s +1 +200 +200 +2,000 +5.00 +100 +112 +1.12 +1.12 +\\+1.4 %"
                        + " +45 % +- +- +-"))
        .anySatisfy(
            line -> assertThat(line).matches("none +- +- +16 +120 +120 +1,200 .* - +33 % +82"));
  }

  @Test
  void churn_ofSeveralRuns_showsTheirSpread() {
    Section section = ChurnSection.of(Loads.churnsOfTwoRuns());
    JsonNode second = section.json().path("results").path(0).path("runs").path(1);

    assertThat(section.lines())
        .anySatisfy(line ->
            assertThat(line)
                .matches(
                    "arenal +no +300 s +2 +200 +200 to 300 +200 +2,000 .* 1.30 +1.12 +\\+1.4 %"
                        + " .*"));
    assertThat(section.json().path("runs").asInt()).isEqualTo(2);
    assertThat(second.path("nanosPerOperation").asDouble()).isEqualTo(300);
    assertThat(second.path("p999AllocationNanos").asLong()).isEqualTo(3000);
    assertThat(second.path("mostResidentPerLive").asDouble()).isEqualTo(1.3);
    assertThat(second.path("compilerMillis").asLong()).isEqualTo(7);
    assertThat(second.path("roundTripNanos").asDouble()).isEqualTo(81.5);
    assertThat(Html.of(section.parts())).contains("2 runs of each allocator, by turns");
  }

  @Test
  void burst_hasTheAgreedJson() {
    Section section = BurstSection.of(Loads.bursts());
    JsonNode third = section.json().path("results").path(5);

    assertThat(section.json().path("results")).hasSize(8);
    assertThat(third.path("allocator").asText()).isEqualTo("arenal-short");
    assertThat(third.path("delaySeconds").asDouble()).isEqualTo(0.5);
    assertThat(third.path("p999AllocationNanos").asLong()).isEqualTo(700);
    assertThat(third.path("trimmedBytes").asLong()).isEqualTo(21 << 20);
    assertThat(third.path("threads").asInt()).isEqualTo(2);
    assertThat(third.path("survivors").asBoolean()).isTrue();
    assertThat(third.path("peakResidentBytes").asLong()).isEqualTo(1060L << 20);
    assertThat(third.path("survivorBytes").asLong()).isEqualTo(20 << 20);
    assertThat(third.path("idleResidentBytes").asLong()).isEqualTo(200 << 20);
    assertThat(third.path("timeline").path(3)).hasToString("[1.5,314572800]");
  }

  @Test
  void burst_saysInWordsWhatWasSeen() {
    Section section = BurstSection.of(Loads.bursts());

    assertThat(section.headline()).isEqualTo(section.findings().getFirst());
    assertThat(section.findings())
        .containsExactly(
            "After a burst of 1024 MiB by 2 threads PageAllocator with a delay of 0.5 s keeps 1.0 %"
                + " of it when idle, with its default of 300 s 102.5 %, of which trim() leaves"
                + " 0.1 %; the others keep 87.9 % (malloc), 0.0 % (malloc-trim).",
            "After a burst of 1024 MiB by 2 threads, beside a live buffer in each megabyte,"
                + " PageAllocator with a delay of 0.5 s keeps 17.6 % of it when idle, with its"
                + " default of 300 s 100.6 %, of which trim() leaves 0.1 %; the others keep 95.7 %"
                + " (malloc), 27.3 % (malloc-trim).",
            "As good as arenal-short or better, 2 threads: in MiB kept when idle (10) malloc-trim"
                + " (0); in MiB kept when idle beside survivors (180) no rival.",
            "Burst: 1 of 2 claims reached; not idle beside survivors, 2 threads (17.6 %,"
                + " wanted <= 15 % of the burst).");
    assertThat(section.lines())
        .startsWith(
            "burst: 1024 MiB of buffers allocated and freed, then 15 s idle; the short delay is"
                + " 0.5 s")
        .anySatisfy(line ->
            assertThat(line)
                .matches("arenal-short +no +0.5 s +2 +20 +1,060 +1,050 +200 +21 +17.6 % +700"));
    assertThat(Html.of(section.parts()))
        .contains("so that p99.9 depends on the scheduler, too; churn compares allocators by it");
  }
}
