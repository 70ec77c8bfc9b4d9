package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.process.Child;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The process of one measurement: a JVM whose own memory stands still, and for Netty the flags that
 * it is at its best with.
 */
final class PeerProcess {
  /**
   * A heap that is resident from the start as far as it is ever used. Netty takes small chunks
   * where the JVM may have less than 512 MiB.
   */
  private static final List<String> JVM_FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms192m",
          "-Xmn128m",
          "-Xmx1g",
          "-XX:+AlwaysPreTouch",
          "-XX:-UseDynamicNumberOfCompilerThreads",
          "-XX:-UsePerfData",
          "-XX:MaxDirectMemorySize=" + Long.MAX_VALUE);

  /**
   * Threads wait for the compilers, so that these do not run beside the measured load. For loads
   * that are measured when they are warm: a cold one would have the compilers' time in it.
   */
  static final String COMPILERS_FIRST_FLAG = "-XX:-BackgroundCompilation";

  /** For loads that are too small to be compared. */
  static final String FIRST_COMPILER_FLAG = "-XX:TieredStopAtLevel=1";

  /**
   * Java 25 keeps Netty from Unsafe unless both sides are told otherwise. A program that needs all
   * of Netty's speed tells them, opens the packages that Netty looks into, lets it call malloc, and
   * turns off the sampling of leaks.
   */
  private static final List<String> NETTY_FLAGS =
      List.of(
          "--sun-misc-unsafe-memory-access=allow",
          "-Dio.netty.noUnsafe=false",
          "-Dio.netty.tryReflectionSetAccessible=true",
          "-Dio.netty.leakDetection.level=disabled");

  private static final List<String> NETTY_MODULE_FLAGS =
      List.of(
          "--enable-native-access=io.netty.common",
          "--add-opens=java.base/java.nio=io.netty.common",
          "--add-opens=java.base/jdk.internal.misc=io.netty.common");

  private static final List<String> NETTY_CLASS_PATH_FLAGS =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

  /** HotSpot has glibc give back what is free, each time that so many milliseconds are over. */
  private static final String TRIM_FLAG = "-XX:TrimNativeHeapInterval=";

  /** HotSpot keeps what a compilation took for the next one, and frees it so often. */
  private static final long BETWEEN_CLEANINGS_MILLIS = 5_000;

  /** After the start of the process, for the JVM to be up; and the cleaning may be late. */
  private static final long CLEANING_LATE_MILLIS = 800;

  private static final long SETTLE_MILLIS = 50;
  private static final int ROUND_COUNT = 3;

  private PeerProcess() {}

  /**
   * The process for a peer.
   *
   * @param what a word for what it does
   * @param details that in {@code name=value} pairs
   * @param shortDelay what a peer is told that is to give memory back soon
   */
  static Child child(
      String what, String details, PeerKind kind, Duration shortDelay, HeapLibraries libraries)
      throws IOException {
    Child child = new Child(what, details).flags(JVM_FLAGS);
    if (kind.isNetty()) {
      boolean isNamed = PeerProcess.class.getModule().isNamed();
      child.flags(NETTY_FLAGS).flags(isNamed ? NETTY_MODULE_FLAGS : NETTY_CLASS_PATH_FLAGS);
    }
    // malloc keeps its defaults elsewhere: Netty's chunks come from there.
    if (kind == PeerKind.MALLOC_TRIM) {
      // Zero would turn it off.
      child.flags(List.of(TRIM_FLAG + Math.max(1, shortDelay.toMillis())));
    }
    if (kind == PeerKind.JEMALLOC_DECAY) {
      // An idle process does not call jemalloc: only a thread of its own gives memory back there.
      String settings =
          "background_thread:true,dirty_decay_ms:%1$d,muzzy_decay_ms:%1$d"
              .formatted(shortDelay.toMillis());
      // The last setting wins, so other settings of the user stay.
      var _ =
          child
              .environment()
              .merge(
                  HeapLibraries.JEMALLOC_SETTINGS, settings, (users, ours) -> users + "," + ours);
    }
    return child.heap(kind, libraries);
  }

  /** In that process: makes sure that the heap of this kind is the one that answers. */
  static void prove(PeerKind kind) throws IOException {
    if (kind.heap() != null) {
      MeasuredHeap.heap().prove();
    }
  }

  /** How long it takes until HotSpot has freed what its compilers do not need any more. */
  static long untilCleanedMillis(long sinceStartMillis) {
    long sinceCleanedMillis = (sinceStartMillis - CLEANING_LATE_MILLIS) % BETWEEN_CLEANINGS_MILLIS;
    return BETWEEN_CLEANINGS_MILLIS - sinceCleanedMillis;
  }

  private static long millisSinceStart() {
    Instant now = Instant.now();
    Instant start = ProcessHandle.current().info().startInstant().orElse(now);
    return Duration.between(start, now).toMillis();
  }

  /**
   * Leaves nothing behind that would come or go by itself: what the warm-up left is given back, by
   * the collector (Netty's chunks) and by the heap.
   *
   * @param isCompared whether to wait for what the JVM gives back, up to five seconds: what comes
   *     next is compared with other processes
   */
  static void settle(PeerKind kind, boolean isCompared) throws InterruptedException {
    if (isCompared && isCleanedLate(kind)) {
      // Later it would go back and count as the peer's: some six MiB less than nothing.
      Thread.sleep(untilCleanedMillis(millisSinceStart()));
    }
    for (int i = 0; i < ROUND_COUNT; i++) {
      System.gc();
      Thread.sleep(SETTLE_MILLIS);
    }
    // The C library's where no other one is measured: the JVM and Netty take memory from it too.
    MeasuredHeap.heap().settle();
    settleJvm(kind);
  }

  /**
   * Has the C library give back what the compilers of the JVM took and freed, so that it does not
   * count as the peer's: to compile one method may take 40 MiB, which glibc keeps. Nothing where
   * the peer has memory from the same heap.
   */
  static void settleJvm(PeerKind kind) {
    if (isApartFromJvm(kind)) {
      MeasuredHeap.settleMalloc();
    }
  }

  /** Whether what the JVM frees later would count as the peer's. */
  private static boolean isCleanedLate(PeerKind kind) {
    return kind == PeerKind.MALLOC_TRIM || kind == PeerKind.JEMALLOC_DECAY || isApartFromJvm(kind);
  }

  /** Whether what glibc keeps is the JVM's alone. jemalloc serves both, Netty has chunks there. */
  private static boolean isApartFromJvm(PeerKind kind) {
    return kind.isArenal() || kind == PeerKind.MIMALLOC;
  }
}
