package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ChildJvm;
import dev.arenal.lab.heap.HeapLibraries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private PeerProcess() {}

  static ProcessBuilder builder(
      Class<?> main, PeerKind kind, HeapLibraries libraries, List<String> arguments)
      throws IOException {
    List<String> flags = new ArrayList<>(JVM_FLAGS);
    if (kind.isNetty()) {
      flags.addAll(NETTY_FLAGS);
      flags.addAll(main.getModule().isNamed() ? NETTY_MODULE_FLAGS : NETTY_CLASS_PATH_FLAGS);
    }
    Path library = kind.isLibrary() ? libraries.require(kind) : null;
    // malloc keeps its defaults: Netty's chunks come from there, and its settings would be theirs.
    return ChildJvm.builder(main, kind, library, flags, arguments);
  }
}
