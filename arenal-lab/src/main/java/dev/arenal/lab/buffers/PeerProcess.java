package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.process.Child;
import java.io.IOException;
import java.util.List;

/**
 * The process of one measurement: a JVM whose own memory stands still, and for Netty the flags that
 * it is at its best with.
 */
final class PeerProcess {
  /**
   * A heap that is resident from the start as far as it is ever used, and compilers that do not run
   * beside what is measured. Netty takes small chunks where the JVM may have less than 512 MiB.
   */
  private static final List<String> JVM_FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms192m",
          "-Xmn128m",
          "-Xmx1g",
          "-XX:+AlwaysPreTouch",
          "-XX:-UseDynamicNumberOfCompilerThreads",
          "-XX:-BackgroundCompilation",
          "-XX:-UsePerfData",
          "-XX:MaxDirectMemorySize=" + Long.MAX_VALUE);

  /**
   * Java 25 keeps Netty from Unsafe unless both sides are told otherwise. Whoever wants the last of
   * its speed in production does tell them, opens what it looks into, lets it call malloc by
   * itself, and turns off the sampling of leaks.
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

  private static final long SETTLE_MILLIS = 50;
  private static final int COUNT_ROUNDS = 3;

  private PeerProcess() {}

  /** The process for a peer, with a word for what it does, and that in {@code name=value} pairs. */
  static Child child(String what, String details, PeerKind kind, HeapLibraries libraries)
      throws IOException {
    Child child = new Child(what, details).flags(JVM_FLAGS);
    if (kind.isNetty()) {
      boolean isNamed = PeerProcess.class.getModule().isNamed();
      child.flags(NETTY_FLAGS).flags(isNamed ? NETTY_MODULE_FLAGS : NETTY_CLASS_PATH_FLAGS);
    }
    // malloc keeps its defaults: Netty's chunks come from there, and its settings would be theirs.
    return child.heap(kind, libraries);
  }

  /** In that process: makes sure that the heap of this kind is the one that answers. */
  static void prove(PeerKind kind) throws IOException {
    if (kind.heap() != null) {
      MeasuredHeap.heap().prove();
    }
  }

  /**
   * Leaves nothing behind that would come or go by itself: what the warm-up left is given back, by
   * the collector (Netty's chunks) and by the heap.
   */
  static void settle() throws InterruptedException {
    for (int i = 0; i < COUNT_ROUNDS; i++) {
      System.gc();
      Thread.sleep(SETTLE_MILLIS);
    }
    // The C library's where no other one is measured: the JVM and Netty take memory from it too.
    MeasuredHeap.heap().settle();
  }
}
