package dev.arenal.lab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.report.ProxySection;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Json;
import dev.arenal.lab.result.Labelled;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans, claims and sentences; figures are made up. */
final class ProxyClaimsTest {
  private static final long MIB = 1 << 20;

  private static ProxyPlan plan(int clientCount) {
    return plan(clientCount, 1);
  }

  private static ProxyPlan plan(int clientCount, int runCount) {
    return ProxyPlan.usual(
        true,
        List.of(ProxyArm.NETTY_ADAPTIVE, ProxyArm.ARENAL),
        1,
        runCount,
        clientCount,
        ProxyPlan.USUAL_PIECE_BYTES,
        ProxyTransport.AUTO,
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        List.of());
  }

  private static WavesResult waves(ProxyArm arm, long idleMib, @Nullable Integer exitCode) {
    ProxyPoint peak = new ProxyPoint(2, 120 * MIB, 100 * MIB);
    ProxyPoint idle = new ProxyPoint(7, idleMib * MIB, 2 * MIB);
    int servedCount = exitCode == null ? 100 : 0;
    return new WavesResult(
        arm,
        "netty 4.2",
        "epoll",
        300 * MIB,
        List.of(peak, idle),
        peak,
        idle,
        peak,
        servedCount,
        100 - servedCount,
        exitCode);
  }

  private static ProxyMeasurement measurement(long ourIdleMib, double ourRequests) {
    LimitedResult killed =
        new LimitedResult(400 * MIB, waves(ProxyArm.NETTY_ADAPTIVE, 100, 137), List.of());
    LimitedResult served = new LimitedResult(400 * MIB, waves(ProxyArm.ARENAL, 5, null), List.of());
    return new ProxyMeasurement(
        plan(100),
        List.of(
            new ProxyResult(
                ProxyArm.NETTY_ADAPTIVE,
                null,
                waves(ProxyArm.NETTY_ADAPTIVE, 110, null),
                List.of(),
                new LoadResult(ProxyArm.NETTY_ADAPTIVE, 1000, 700, 100, 200, 400),
                killed),
            new ProxyResult(
                ProxyArm.ARENAL,
                Duration.ofSeconds(1),
                waves(ProxyArm.ARENAL, ourIdleMib, null),
                List.of(),
                new LoadResult(ProxyArm.ARENAL, ourRequests, 700, 100, 200, 400),
                served)),
        List.of("a note"),
        List.of("a failure"));
  }

  @Test
  void claims_areHeldAgainstTheFigures() {
    assertThat(ProxyClaims.of(measurement(10, 1000))).hasSize(4).allMatch(Claim::isReached);
    assertThat(ProxyClaims.of(measurement(11, 990)))
        .filteredOn(claim -> !claim.isReached())
        .extracting(Claim::shown)
        .containsExactly("11.0 %", "0.99x");
  }

  @Test
  void sentences_nameWinsAndLosses() {
    Section section = ProxySection.of(measurement(11, 990));
    assertThat(section.findings())
        .containsExactly(
            "After a wave of 100 slow clients, with 2 % of them still connected, the proxy keeps"
                + " 11 % (arenal) of the peak's buffers; others keep 110 % (netty-adaptive).",
            "At full load requests a second and p99.9 at a fixed rate are 1,000 and 400 µs"
                + " (netty-adaptive), 990 and 400 µs (arenal).",
            "In a control group of 400 MiB these serve all clients: arenal; these do not:"
                + " netty-adaptive (killed).",
            "Proxy: 2 of 4 claims reached; not arenal, resident in the quiet (11.0 %, wanted <="
                + " 10 % of the peak's buffers), arenal, requests a second (0.99x, wanted >= 1.00x"
                + " netty-adaptive).");
    assertThat(section.failures()).containsExactly("a failure");
    assertThat(section.json().path("results").path(1).path("peakResidentBytes").longValue())
        .isEqualTo(120 * MIB);
  }

  /** Neither one that lives and has lost clients nor one that ended by itself is what it seems. */
  @Test
  void smallGroup_isServedByThoseThatLoseNobody() {
    WavesResult lossy =
        new WavesResult(
            ProxyArm.ARENAL, "netty 4.2", "epoll", 0, List.of(), null, null, null, 93, 7, null);
    List<ProxyResult> results =
        List.of(
            limited(ProxyArm.ARENAL, lossy),
            limited(ProxyArm.ARENAL_AGENT, waves(ProxyArm.ARENAL_AGENT, 5, 1)));
    ProxyMeasurement measurement = new ProxyMeasurement(plan(100), results, List.of(), List.of());
    assertThat(ProxySection.of(measurement).findings())
        .contains(
            "In a control group of 400 MiB none serves all clients; these do not: arenal (7 lost),"
                + " arenal-agent (ended with 1).");
    assertThat(ProxyClaims.of(measurement))
        .extracting(Claim::shown)
        .contains("93 of 100 clients served", "ended with 1");
  }

  private static ProxyResult limited(ProxyArm arm, WavesResult waves) {
    LimitedResult limited = new LimitedResult(400 * MIB, waves, List.of());
    return new ProxyResult(arm, null, waves(arm, 5, null), List.of(), null, limited);
  }

  /** The row is the run in the middle, a claim holds for all runs, and a killed one is counted. */
  @Test
  void runs_areOneResult() throws IOException {
    LoadResult load = new LoadResult(ProxyArm.ARENAL, 1000, 700, 100, 200, 400);
    ProxyResult ours =
        ProxyResult.ofRuns(
            ProxyArm.ARENAL,
            Duration.ofSeconds(1),
            List.of(
                waves(ProxyArm.ARENAL, 11, null),
                waves(ProxyArm.ARENAL, 3, null),
                waves(ProxyArm.ARENAL, 5, null)),
            load,
            LimitedResult.ofRuns(
                400 * MIB,
                List.of(
                    waves(ProxyArm.ARENAL, 5, null),
                    waves(ProxyArm.ARENAL, 5, 137),
                    waves(ProxyArm.ARENAL, 5, null))));
    ProxyMeasurement measurement =
        new ProxyMeasurement(plan(100, 3), List.of(ours), List.of(), List.of());
    assertThat(ours.idleShare()).isEqualTo(0.05);
    assertThat(ours.idleShares()).containsExactly(0.03, 0.05, 0.11);
    assertThat(ProxyClaims.of(measurement))
        .extracting(claim -> claim.shown() + ", " + claim.isReached())
        .containsExactly("11.0 %, false", "in 2 of 3 runs, false");
    Section section = ProxySection.of(measurement);
    assertThat(section.findings())
        .contains(
            "In a control group of 400 MiB all clients are served in so many of 3 runs: arenal 2.");
    assertThat(String.join("\n", section.lines()))
        .contains("3.0 % to 11.0 %")
        .contains("runs without a loss")
        .contains("serves");
    ProxyMeasurement again = Json.read(Json.tree(measurement), ProxyMeasurement.class);
    assertThat(again.results()).isEqualTo(measurement.results());
    assertThat(again.plan().runCount()).isEqualTo(3);
  }

  /** A run that was killed before the quiet has no share, and is no reason to be content. */
  @Test
  void runThatDidNotLiveUntilTheQuiet_isNotPassedOver() {
    WavesResult dead =
        new WavesResult(
            ProxyArm.ARENAL, "netty 4.2", "epoll", 0, List.of(), null, null, null, 0, 100, 137);
    ProxyResult ours =
        ProxyResult.ofRuns(
            ProxyArm.ARENAL,
            null,
            List.of(waves(ProxyArm.ARENAL, 3, null), dead, waves(ProxyArm.ARENAL, 5, null)),
            null,
            null);
    ProxyMeasurement measurement =
        new ProxyMeasurement(plan(100, 3), List.of(ours), List.of(), List.of());
    assertThat(ours.idleShare()).isEqualTo(0.05);
    assertThat(ProxyClaims.of(measurement))
        .extracting(claim -> claim.shown() + ", " + claim.isReached())
        .containsExactly("5.0 %, false");
  }

  /** Pieces and transport are in the report, and in the JSON. */
  @Test
  void choices_areShown() {
    ProxyPlan chosen =
        ProxyPlan.usual(
            true,
            List.of(ProxyArm.ARENAL),
            1,
            1,
            100,
            64 << 10,
            ProxyTransport.NIO,
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            List.of());
    ProxyMeasurement measurement =
        new ProxyMeasurement(chosen, measurement(10, 1000).results(), List.of(), List.of());
    Section section = ProxySection.of(measurement);
    assertThat(section.json().path("pieceBytes").intValue()).isEqualTo(64 << 10);
    assertThat(section.json().path("transport").textValue()).isEqualTo("nio");
    assertThat(String.join("\n", section.lines()))
        .contains("512 KiB a response in pieces of 64 KiB, 5 s quiet");
  }

  @Test
  void results_areReadAsWritten() throws IOException {
    ProxyMeasurement measurement = measurement(10, 1000);
    ProxyMeasurement again = Json.read(Json.tree(measurement), ProxyMeasurement.class);
    assertThat(again.results()).isEqualTo(measurement.results());
    assertThat(again.plan()).isEqualTo(measurement.plan());
  }

  @Test
  void plans_fitIntoWhatThereIs() throws IOException {
    List<String> notes = new ArrayList<>();
    assertThat(ProxyPlan.fittingClients(300, 1000, notes)).isEqualTo(300);
    assertThat(notes).isEmpty();
    assertThat(ProxyPlan.fittingClients(1000, 1000, notes)).isEqualTo(300);
    assertThat(notes)
        .containsExactly(
            "300 clients of a wave instead of 1,000: a process may have 1,000 open files (ulimit"
                + " -Hn)");
    assertThatThrownBy(() -> plan(49))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("too few clients: clients=49 (expected 50 or more: one in 50 stays connected)");
    assertThatThrownBy(() -> ProxyRun.parallelCount(plan(1000), MIB))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("not enough memory for a wave: clients=1000, neededBytes=");
    assertThat(ProxyRun.parallelCount(plan(1000), Long.MAX_VALUE)).isEqualTo(3);
  }

  /** The command has them, and Netty is not in its module graph. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        ProxyArm.class,
        ProxyMeasurement.class,
        ProxyPlan.class,
        ProxySetup.class,
        ProxyTransport.class,
        LoadWork.class,
        WavesWork.class
      })
  void whatIsSentToOtherProcesses_namesNothingOfNettys(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      assertThat(method.toGenericString()).doesNotContain("io.netty");
    }
  }

  @Test
  void transports_haveNames() {
    for (ProxyTransport transport : ProxyTransport.values()) {
      assertThat(
              Labelled.named(
                  "transport", java.util.List.of(ProxyTransport.values()), transport.label()))
          .isEqualTo(transport);
      if (transport != ProxyTransport.EPOLL) {
        assertThat(transport.resolve()).isNotEqualTo(ProxyTransport.AUTO);
      }
    }
    assertThat(ProxyTransport.NIO.resolve()).isEqualTo(ProxyTransport.NIO);
  }

  /** A few clients, a proxy in a process of its own, and every byte of theirs is checked. */
  @ParameterizedTest
  @CsvSource({"AUTO, 16384", "NIO, 65536"})
  void waves_areServed(ProxyTransport transport, int pieceBytes) throws Exception {
    ProxySetup setup =
        new ProxySetup(
            ProxyArm.ARENAL, Duration.ofMillis(100), 256 << 10, 32 << 10, pieceBytes, transport);
    WavesResult result =
        new WavesWork(setup, 50, 512 << 10, Duration.ofMillis(500), Duration.ofMillis(300), null)
            .run();
    assertThat(result.transport()).isEqualTo(transport.resolve().label());
    assertThat(result.exitCode()).isNull();
    assertThat(result.servedCount()).isEqualTo(99);
    assertThat(result.lostCount()).isZero();
    assertThat(result.peak()).isNotNull().extracting(ProxyPoint::waitingBytes).isNotEqualTo(0L);
  }
}
