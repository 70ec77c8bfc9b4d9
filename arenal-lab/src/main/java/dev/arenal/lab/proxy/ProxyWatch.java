package dev.arenal.lab.proxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks at a proxy ten times a second, until it is closed or the proxy has ended. */
final class ProxyWatch implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The waiting bytes go up and down a little all the time. */
  private static final double MORE = 1.01;

  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ProxyProcess proxy;
  private final long baselineBytes;
  private final long startNanos = System.nanoTime();
  private final List<ProxyPoint> points = new ArrayList<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("watch").unstarted(this::run);
  private long mostWaitingBytes;
  private double moreSeconds;
  private volatile boolean isClosed;

  private ProxyWatch(ProxyProcess proxy, long baselineBytes) {
    this.proxy = proxy;
    this.baselineBytes = baselineBytes;
  }

  /** Memory that is resident now is not counted. */
  static ProxyWatch start(ProxyProcess proxy) throws IOException {
    long baselineBytes =
        proxy.residentBytes().orElseThrow(() -> new IOException("the proxy ended in its warm-up"));
    ProxyWatch watch = new ProxyWatch(proxy, baselineBytes);
    watch.thread.start();
    return watch;
  }

  long baselineBytes() {
    return baselineBytes;
  }

  double seconds() {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }

  synchronized List<ProxyPoint> points() {
    return List.copyOf(points);
  }

  /** The waiting bytes are read again. */
  synchronized void nextWave() {
    mostWaitingBytes = 0;
    moreSeconds = seconds();
  }

  /** Since when no more has come to wait in this wave, apart from little things. */
  synchronized double secondsSinceMore() {
    return seconds() - moreSeconds;
  }

  private void run() {
    while (!isClosed) {
      Optional<Long> residentBytes = proxy.residentBytes();
      Optional<Long> waitingBytes = proxy.waitingBytes();
      if (residentBytes.isEmpty() || waitingBytes.isEmpty()) {
        return;
      }
      add(
          new ProxyPoint(
              seconds(),
              Math.max(0, residentBytes.get() - baselineBytes),
              Math.max(0, waitingBytes.get())));
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
    }
  }

  private synchronized void add(ProxyPoint point) {
    points.add(point);
    if (point.waitingBytes() > MORE * mostWaitingBytes) {
      mostWaitingBytes = point.waitingBytes();
      moreSeconds = point.seconds();
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
