package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a burst goes back with the agent, and stays without it. */
final class NettyBurstIT {
  private static final String BURST =
      """
      package app;

      import io.netty.buffer.*;
      import java.nio.file.*;
      import java.util.*;

      public class Burst {
        static final int COUNT = 4000;

        public static void main(String[] arguments) throws Exception {
          ByteBufAllocator allocator = new PooledByteBufAllocator(true);
          List<ByteBuf> buffers = new ArrayList<>();
          for (int i = 0; i < COUNT; i++) {
            buffers.add(allocator.directBuffer(64 << 10).writeZero(64 << 10));
          }
          long peak = residentMebibytes();
          List<ByteBuf> kept = new ArrayList<>();
          for (int i = 0; i < COUNT; i++) {
            if (i % 100 == 0) {
              kept.add(buffers.get(i));
            } else {
              buffers.get(i).release();
            }
          }
          buffers.clear();
          long after = peak;
          long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
          while (System.nanoTime() < end && peak - after < 200) {
            Thread.sleep(200);
            after = residentMebibytes();
          }
          System.out.println((peak >= 250) + " " + (peak - after >= 200));
          System.err.println("peak=" + peak + ", after=" + after);
        }

        static long residentMebibytes() throws Exception {
          for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) {
              return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
            }
          }
          throw new IllegalStateException();
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void memoryOfABurst_goesBackBesideWhatStays() {
    Result without = run(plain(), "4");
    assertThat(without.out()).as(without.err()).isEqualTo("true false\n");
    Result with = run(plain().agent("netty=1"), "30");
    assertThat(with.out()).as(with.err()).isEqualTo("true true\n");
  }

  /** A small Java heap, all of it resident from the start. */
  private static AgentJvm plain() {
    return new AgentJvm()
        .flags("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:MaxDirectMemorySize=1g");
  }

  private Result run(AgentJvm jvm, String seconds) {
    Path program = NettyPrograms.compileText(folder, "app/Burst.java", BURST, NettyPrograms.NEW);
    return jvm.runWords(
        "-cp", program + File.pathSeparator + NettyPrograms.NEW, "app.Burst", seconds);
  }
}
