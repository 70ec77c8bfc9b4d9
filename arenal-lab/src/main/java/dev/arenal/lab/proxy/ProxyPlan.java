package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Range;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The load on the proxy.
 *
 * @param arms what its buffers come from, in the order of the results
 * @param clientCount of each wave
 * @param responseBytes what each of them asks for
 * @param pieceBytes what the origin sends at a time
 * @param transport of the proxy's channels
 * @param waterMarkBytes what may wait for a client before the origin is not read any more
 * @param hold how long clients read only a little, at least
 * @param idle how long it is quiet between the waves
 * @param delay how long those keep free memory that are to give it back soon
 * @param load how long the load is measured, of each kind
 * @param roundCount how often it is measured
 * @param runCount how often the waves are run, without a limit and in the group; one in old results
 * @param isLimited whether the waves are repeated in a small control group
 * @param notes what a reader has to know about the choice; whole lines
 */
@JsonIgnoreProperties(value = "notes", allowSetters = true)
public record ProxyPlan(
    List<ProxyArm> arms,
    @JsonProperty("clients") int clientCount,
    int responseBytes,
    int pieceBytes,
    ProxyTransport transport,
    int waterMarkBytes,
    @JsonProperty("holdSeconds") Duration hold,
    @JsonProperty("idleSeconds") Duration idle,
    @JsonProperty("delaySeconds") Duration delay,
    @JsonProperty("loadSeconds") Duration load,
    @JsonProperty("rounds") int roundCount,
    @JsonProperty("runs") int runCount,
    @JsonProperty("limited") boolean isLimited,
    List<String> notes) {
  /** Clients of a wave. */
  public static final int USUAL_CLIENTS = 3_000;

  /** Of the shortened form. */
  public static final int QUICK_CLIENTS = 600;

  /** How long it is quiet. */
  public static final Duration USUAL_IDLE = Duration.ofSeconds(30);

  /** Of the shortened form. */
  public static final Duration QUICK_IDLE = Duration.ofSeconds(5);

  /** How often the load is measured. */
  public static final int USUAL_ROUNDS = 3;

  /** The delay of allocators that are to give memory back soon. */
  public static final Duration USUAL_DELAY = Duration.ofSeconds(1);

  /** A record of TLS. */
  public static final int USUAL_PIECE_BYTES = 16 << 10;

  /** Below that most of a buffer is its rounding. */
  private static final int LEAST_PIECE_BYTES = 512;

  private static final int LAB_CLIENTS = 1_000;
  private static final Duration LAB_IDLE = Duration.ofSeconds(10);
  private static final List<ProxyArm> LAB_QUICK_ARMS =
      List.of(ProxyArm.NETTY_ADAPTIVE, ProxyArm.ARENAL);
  private static final int LAB_QUICK_CLIENTS = 200;
  private static final Duration LAB_QUICK_IDLE = Duration.ofSeconds(3);

  /** Half of it reaches the client's kernel, or waits at the origin. */
  private static final int USUAL_RESPONSE_BYTES = 512 << 10;

  private static final int USUAL_MARK_BYTES = 256 << 10;
  private static final int LEAST_CLIENTS = 50;

  private static final int MOST_ROUNDS = 100;
  private static final int MOST_RUNS = 100;

  /** Each client is two connections of the proxy, and two of its peers. */
  private static final int FILES_PER_CLIENT = 2;

  private static final int OTHER_FILES = 400;

  /** Checks what a person may have got wrong, and keeps copies. */
  public ProxyPlan {
    // Results from before there was a choice have none of these.
    pieceBytes = pieceBytes == 0 ? USUAL_PIECE_BYTES : pieceBytes;
    transport = Objects.requireNonNullElse(transport, ProxyTransport.AUTO);
    runCount = runCount == 0 ? 1 : runCount;
    arms = List.copyOf(arms);
    notes = List.copyOf(notes);
    if (arms.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure: arms=0 (expected at least one)");
    }
    Range.check("cannot run that often", "rounds", roundCount, 1, MOST_ROUNDS);
    checkRuns(runCount);
    if (clientCount < LEAST_CLIENTS) {
      throw new IllegalArgumentException(
          "too few clients: clients=%d (expected %d or more: one in %d stays connected)"
              .formatted(clientCount, LEAST_CLIENTS, WavesWork.KEEP_EVERY));
    }
    if (delay.toMillis() < 1 || idle.isNegative()) {
      throw new IllegalArgumentException(
          "time is out of range: delay=%s, idle=%s (expected a delay of 1 ms or more)"
              .formatted(delay, idle));
    }
  }

  /**
   * With these arms and clients, and for the rest what is usual.
   *
   * @throws IllegalArgumentException if that cannot be meant
   */
  public static ProxyPlan usual(
      boolean isQuick,
      List<ProxyArm> arms,
      int roundCount,
      int runCount,
      int clientCount,
      long pieceBytes,
      ProxyTransport transport,
      Duration idle,
      Duration delay,
      List<String> notes) {
    Range.check(
        "pieces are too small or too large",
        "pieceBytes",
        pieceBytes,
        LEAST_PIECE_BYTES,
        ResponsePattern.PERIOD_BYTES);
    checkRuns(runCount); // a plan takes 0 for 1
    return new ProxyPlan(
        arms,
        clientCount,
        USUAL_RESPONSE_BYTES,
        (int) pieceBytes,
        transport,
        USUAL_MARK_BYTES,
        Duration.ofSeconds(isQuick ? 2 : 4),
        idle,
        delay,
        Duration.ofSeconds(isQuick ? 2 : 5),
        roundCount,
        runCount,
        true,
        notes);
  }

  private static void checkRuns(int runCount) {
    Range.check("cannot run that often", "runs", runCount, 1, MOST_RUNS);
  }

  /** The part of it that {@code ./arenal lab} has time for. */
  public static ProxyPlan lab(boolean isQuick, List<ProxyArm> arms, List<String> notes)
      throws IOException {
    List<String> more = new ArrayList<>(notes);
    List<ProxyArm> few = arms;
    if (isQuick) {
      more.add("not shown here, but by arenal proxy: the other arms, and the small control group");
      few = arms.stream().filter(LAB_QUICK_ARMS::contains).toList();
    }
    return new ProxyPlan(
        few,
        fittingClients(isQuick ? LAB_QUICK_CLIENTS : LAB_CLIENTS, ProxyRun.mostFiles(), more),
        USUAL_RESPONSE_BYTES,
        USUAL_PIECE_BYTES,
        ProxyTransport.AUTO,
        USUAL_MARK_BYTES,
        Duration.ofSeconds(isQuick ? 1 : 2),
        isQuick ? LAB_QUICK_IDLE : LAB_IDLE,
        isQuick ? Duration.ofMillis(500) : USUAL_DELAY,
        Duration.ofSeconds(isQuick ? 1 : 3),
        1,
        1,
        !isQuick,
        more);
  }

  /**
   * As many clients as are wanted, or those that a process may have open files for.
   *
   * @param mostFiles of one process
   * @param notes where it is said if those are fewer
   */
  public static int fittingClients(int wantedCount, long mostFiles, List<String> notes) {
    long mostClients = Math.max(0, (mostFiles - OTHER_FILES) / FILES_PER_CLIENT);
    if (wantedCount <= mostClients) {
      return wantedCount;
    }
    notes.add(
        "%,d clients of a wave instead of %,d: a process may have %,d open files (ulimit -Hn)"
            .formatted(mostClients, wantedCount, mostFiles));
    return (int) mostClients;
  }

  /** The bytes that may wait for all the clients of a wave. */
  long waveBytes() {
    return (long) clientCount * waterMarkBytes;
  }
}
