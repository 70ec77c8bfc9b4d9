package dev.arenal.soak;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.arenal.elastic.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Rounds, one after the other, until the time is up; a finding ends its round, and the next one
 * begins.
 */
final class Soak {
  /** The next round; given, to see a later one again: {@code -Dsoak.round}. */
  private static final String ROUND_PROPERTY = "soak.round";

  private static final Duration ROUND = Duration.ofMillis(2500);

  /** Of the first one, which has no faults: a short soak shall have time for some. */
  private static final Duration FIRST_ROUND = Duration.ofMillis(500);

  private static final int LEAST_ROUNDS = 2;
  private static final int MOST_FINDINGS = 20;
  private static final int ROUNDS_BEFORE_FLAT = 4;
  private static final int MORE_THREADS = 8;
  private static final long MORE_HEAP_BYTES = 24L << 20;
  private static final long STUCK_NANOS = 60_000_000_000L;
  private static final long PROGRESS_NANOS = 60_000_000_000L;

  private final Tally tally = new Tally();
  private final List<AssertionError> findings = new ArrayList<>();
  private final Set<SoakFault> faults;
  private final long startNanos = System.nanoTime();
  private long nextProgressNanos = startNanos + PROGRESS_NANOS;
  private int threadCount;
  private long heapBytes;

  Soak(Set<SoakFault> faults) {
    this.faults = faults;
  }

  /**
   * @throws AssertionError if anything was found
   */
  static void run(Duration length, Set<SoakFault> faults) {
    new Soak(faults).run(length);
  }

  private void run(Duration length) {
    say("begins: seconds=" + length.toSeconds() + ", faults=" + faults + ", " + Seeds.hint());
    Logger logger = Logger.getLogger("dev.arenal"); // its warnings are wanted here
    Handler counting = new Counting();
    boolean wasSaid = logger.getUseParentHandlers();
    logger.setUseParentHandlers(false);
    logger.addHandler(counting);
    Thread watchdog = Thread.ofPlatform().daemon().name("soak-watchdog").start(this::watch);
    try {
      int number = Integer.getInteger(ROUND_PROPERTY, 0);
      Duration rest = length;
      for (int i = 0; isGoingOn(i, rest); i++) {
        runRound(number, rest);
        System.setProperty(ROUND_PROPERTY, Integer.toString(++number)); // also for other loaders
        rest = length.minusNanos(System.nanoTime() - startNanos);
      }
    } finally {
      watchdog.interrupt();
      logger.removeHandler(counting);
      logger.setUseParentHandlers(wasSaid);
    }
    say("ends: " + tally.text() + ", findings=" + findings.size());
    if (!findings.isEmpty()) {
      AssertionError all = new AssertionError("findings=" + findings.size() + ", " + Seeds.hint());
      findings.forEach(all::addSuppressed);
      throw all;
    }
  }

  /** The round without faults is never the last one, however slow the machine is. */
  private boolean isGoingOn(int roundCount, Duration rest) {
    return roundCount < LEAST_ROUNDS || (rest.isPositive() && findings.size() < MOST_FINDINGS);
  }

  private void runRound(int number, Duration rest) {
    try {
      // The first one without: classes are initialised where there is stack enough.
      boolean isFirst = tally.of(Tally.Kind.ROUNDS) == 0;
      SoakRound round =
          new SoakRound(Seeds.derive("soak", number), isFirst ? Set.of() : faults, tally);
      round.run(isFirst ? FIRST_ROUND : Duration.ofNanos(roundNanos(rest)));
      checkFlat();
    } catch (AssertionError e) {
      AssertionError finding = new AssertionError("round " + number + ": " + e.getMessage(), e);
      findings.add(finding);
      say("finding, with -Dtest.seed=" + Seeds.MASTER + " -Dsoak.round=" + number);
      finding.printStackTrace(System.out);
    }
    if (System.nanoTime() > nextProgressNanos) {
      nextProgressNanos += PROGRESS_NANOS;
      say(
          "after seconds="
              + (System.nanoTime() - startNanos) / 1_000_000_000
              + ": "
              + tally.text()
              + ", findings="
              + findings.size()
              + ", threads="
              + threadCount()
              + ", heapBytes="
              + heapBytes()
              + ", "
              + Seeds.hint());
    }
  }

  private static long roundNanos(Duration rest) {
    return Math.clamp(rest.toNanos(), FIRST_ROUND.toNanos(), ROUND.toNanos());
  }

  /** Neither threads nor the Java heap may grow from round to round. */
  private void checkFlat() {
    if (tally.of(Tally.Kind.ROUNDS) == ROUNDS_BEFORE_FLAT) {
      threadCount = threadCount();
      heapBytes = usedAfterCollection();
    } else if (tally.of(Tally.Kind.ROUNDS) > ROUNDS_BEFORE_FLAT) {
      int now = threadCount();
      SoakWorker.check(
          now <= threadCount + MORE_THREADS,
          "threads grow: before=" + threadCount + ", now=" + now);
      if (tally.of(Tally.Kind.ROUNDS) % 16 == 0) {
        long nowBytes = usedAfterCollection();
        SoakWorker.check(
            nowBytes <= heapBytes + MORE_HEAP_BYTES,
            "the Java heap grows: before=" + heapBytes + ", now=" + nowBytes);
      }
    }
  }

  private static int threadCount() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private static long heapBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long usedAfterCollection() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return heapBytes();
  }

  /** Says where all threads are if nothing moves. */
  private void watch() {
    long last = -1;
    long lastNanos = System.nanoTime();
    while (!Thread.interrupted()) {
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        return;
      }
      long now = tally.of(Tally.Kind.OPERATIONS) + tally.of(Tally.Kind.CHECKS);
      if (now != last) {
        last = now;
        lastNanos = System.nanoTime();
      } else if (System.nanoTime() - lastNanos > STUCK_NANOS) {
        lastNanos = System.nanoTime();
        say("nothing moves: " + Seeds.hint());
        dumpThreads();
      }
    }
  }

  /** Where all threads are: the platform's with their locks, and the virtual ones. */
  static void dumpThreads() {
    for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      say(info.toString());
    }
    try {
      Path file = Files.createTempDirectory("soak").resolve("threads.txt");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      say(Files.readString(file));
    } catch (IOException e) {
      say("no dump of virtual threads: " + e);
    }
  }

  private static void say(String text) {
    System.out.println("soak: " + text);
  }

  /** Warnings of the library. */
  private final class Counting extends Handler {
    private final AtomicInteger saidCount = new AtomicInteger();

    @Override
    public void publish(LogRecord record) {
      tally.count(Tally.Kind.WARNINGS);
      if (saidCount.getAndIncrement() < 10) {
        say("warning of the library: " + record.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
