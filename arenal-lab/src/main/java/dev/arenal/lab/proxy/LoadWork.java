package dev.arenal.lab.proxy;

import dev.arenal.lab.process.Work;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Fast clients, first as fast as it goes, then at a fixed rate.
 *
 * @param setup the proxy
 * @param warm how long it goes before anything is counted
 * @param duration of each of both
 * @param ratePerSecond the fixed rate; 0 to leave that out
 */
record LoadWork(ProxySetup setup, Duration warm, Duration duration, double ratePerSecond)
    implements Work<LoadResult> {
  private static final int CONNECTION_COUNT = 64;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  @Override
  public LoadResult run() throws IOException, InterruptedException {
    try (Origin origin = Origin.open(setup.pieceBytes());
        ProxyProcess proxy = ProxyProcess.start(setup, origin.port(), null);
        FastClients clients = FastClients.connect(proxy.port(), CONNECTION_COUNT)) {
      Histogram _ = clients.run(warm, 0);
      Histogram fast = clients.run(duration, 0);
      double requestsPerSecond =
          fast.getTotalCount() * NANOS_PER_SECOND / (double) duration.toNanos();
      if (ratePerSecond == 0) {
        return new LoadResult(setup.arm(), requestsPerSecond, 0, 0, 0, 0);
      }
      Histogram _ = clients.run(warm.dividedBy(4), ratePerSecond);
      Histogram paced = clients.run(duration, ratePerSecond);
      return new LoadResult(
          setup.arm(),
          requestsPerSecond,
          ratePerSecond,
          micros(paced, 50),
          micros(paced, 99),
          micros(paced, 99.9));
    }
  }

  private static double micros(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }
}
