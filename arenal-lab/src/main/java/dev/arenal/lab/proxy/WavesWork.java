package dev.arenal.lab.proxy;

import dev.arenal.lab.process.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two waves of slow clients: their side and the origin's, in the process of this work, and the
 * proxy in another one.
 *
 * @param setup the proxy
 * @param clientCount of each wave
 * @param responseBytes what each asks for
 * @param hold how long a wave reads only a little, at least; a slow machine needs longer until all
 *     that may wait does
 * @param idle how long it is quiet between the waves
 * @param group the control group for the proxy; null for none
 */
record WavesWork(
    ProxySetup setup,
    int clientCount,
    int responseBytes,
    Duration hold,
    Duration idle,
    @Nullable String group)
    implements Work<WavesResult> {
  /** One client in so many stays between the waves, with what waits for it. */
  static final int KEEP_EVERY = 50;

  private static final int WARM_SHARE = 50;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final long BETWEEN_TRICKLES_MILLIS = 250;
  private static final Duration SETTLE = Duration.ofSeconds(1);
  private static final long MOST_LEAVE_MILLIS = 60_000;

  /** So long nothing more may have come to wait before a wave counts as at its height. */
  private static final Duration STEADY = Duration.ofSeconds(1);

  /** Beyond that clients have read so much of their responses that less can wait. */
  private static final Duration MOST_HOLD = Duration.ofSeconds(15);

  @Override
  public WavesResult run() throws IOException, InterruptedException {
    try (Origin origin = Origin.open(setup.pieceBytes());
        ProxyProcess proxy = ProxyProcess.start(setup, origin.port(), group);
        Crowd crowd = new Crowd()) {
      crowd.join(proxy.port(), Math.max(1, clientCount / WARM_SHARE), responseBytes);
      Thread.sleep(BETWEEN_TRICKLES_MILLIS);
      crowd.leave(0, MOST_LEAVE_MILLIS);
      proxy.await(SETTLE.plus(setup.delay().multipliedBy(3))); // what it took goes back
      crowd.forgetCounts();
      try (ProxyWatch watch = ProxyWatch.start(proxy)) {
        return run(proxy, crowd, watch);
      }
    }
  }

  private WavesResult run(ProxyProcess proxy, Crowd crowd, ProxyWatch watch)
      throws IOException, InterruptedException {
    double start = watch.seconds();
    wave(proxy, crowd, watch, clientCount);
    double peakEnd = watch.seconds();
    crowd.leave(KEEP_EVERY, MOST_LEAVE_MILLIS);
    proxy.await(idle);
    double idleEnd = watch.seconds();
    wave(proxy, crowd, watch, clientCount - crowd.presentCount());
    double secondEnd = watch.seconds();
    crowd.leave(0, MOST_LEAVE_MILLIS);
    boolean isAlive = proxy.isAlive();
    List<ProxyPoint> points = watch.points();
    return new WavesResult(
        setup.arm(),
        proxy.library(),
        proxy.transport(),
        watch.baselineBytes(),
        points,
        highest(points, start, peakEnd),
        isAlive || last(points) >= idleEnd ? before(points, idleEnd) : null,
        highest(points, idleEnd, secondEnd),
        crowd.servedCount(),
        crowd.lostCount(),
        isAlive ? null : (Integer) proxy.exitCode());
  }

  private void wave(ProxyProcess proxy, Crowd crowd, ProxyWatch watch, int count)
      throws IOException, InterruptedException {
    watch.nextWave();
    crowd.join(proxy.port(), count, responseBytes);
    double start = watch.seconds();
    double least = start + seconds(hold);
    double most = start + seconds(MOST_HOLD);
    while (proxy.isAlive()
        && watch.seconds() < most
        && (watch.seconds() < least || watch.secondsSinceMore() < seconds(STEADY))) {
      crowd.trickle();
      Thread.sleep(BETWEEN_TRICKLES_MILLIS);
    }
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / MILLIS_PER_SECOND;
  }

  private static double last(List<ProxyPoint> points) {
    return points.isEmpty() ? 0 : points.getLast().seconds();
  }

  private static @Nullable ProxyPoint highest(List<ProxyPoint> points, double from, double to) {
    return points.stream()
        .filter(point -> point.seconds() >= from && point.seconds() <= to)
        .max(Comparator.comparingLong(ProxyPoint::residentBytes))
        .orElse(null);
  }

  private static @Nullable ProxyPoint before(List<ProxyPoint> points, double seconds) {
    return points.stream()
        .filter(point -> point.seconds() <= seconds)
        .reduce((_, later) -> later)
        .orElse(null);
  }
}
