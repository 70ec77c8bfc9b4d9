package dev.arenal.agent;

import static dev.arenal.agent.NettyPrograms.ADAPTIVE;
import static dev.arenal.agent.NettyPrograms.IN_PAGES;
import static dev.arenal.agent.NettyPrograms.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's option {@code netty}, with programs that have a Netty of their own. */
final class NettyIT {
  private static final String NO_SITES =
      "classesRewritten=0, sitesRewritten=0, sitesLeftAlone=0, classesLeftAlone=0";
  private static final String LIMIT = ", limitBytes=67108864";

  @TempDir Path folder;

  @Test
  void pooled_hasItsBuffersInPages() {
    assertInPages("", NettyPrograms.NEW, NettyPrograms.BUFFER_NEW, "PooledByteBufAllocator");
  }

  @Test
  void adaptive_hasItsBuffersInPages() {
    assertInPages("", NettyPrograms.NEW, NettyPrograms.BUFFER_NEW, "AdaptiveByteBufAllocator");
  }

  @Test
  void previousNetty_hasItsBuffersInPages() {
    assertInPages(
        "", NettyPrograms.PREVIOUS, NettyPrograms.BUFFER_PREVIOUS, "PooledByteBufAllocator");
  }

  @Test
  void previousAdaptive_hasItsBuffersInPages() {
    assertInPages(
        "", NettyPrograms.PREVIOUS, NettyPrograms.BUFFER_PREVIOUS, "AdaptiveByteBufAllocator");
  }

  @Test
  void copyOfGrpc_hasItsBuffersInPages() {
    assertInPages(
        NettyPrograms.IN_GRPC, NettyPrograms.GRPC, NettyPrograms.GRPC, "PooledByteBufAllocator");
  }

  @Test
  void copyOfFlink_hasItsBuffersInPages() {
    assertInPages(
        NettyPrograms.IN_FLINK, NettyPrograms.FLINK, NettyPrograms.FLINK, "PooledByteBufAllocator");
  }

  private void assertInPages(String prefix, String classPath, String jar, String allocator) {
    Path program = NettyPrograms.compile(folder, allocator, prefix, classPath);
    Result result = run(jvm(), program, classPath, "app.User");
    assertThat(result.out()).as(result.err()).isEqualTo(IN_PAGES + "used 8448\n");
    String name = prefix + "io.netty.buffer." + allocator;
    String named = "class=" + name + ", loader=app, " + NettyPrograms.from(jar);
    assertThat(result.agentLines())
        .containsExactly(
            "netty: found: " + named,
            "netty: direct buffers are in pages: " + named + LIMIT,
            NO_SITES,
            "netty: classesFound=1, usedBytes=8448, committedBytes=2097152" + LIMIT);
  }

  @Test
  void programWithoutNetty_isToldNothing() {
    Path program =
        NettyPrograms.compileText(
            folder,
            "app/User.java",
            """
            package app;
            public class User {
              public static void main(String[] arguments) { System.out.println("ran"); }
            }
            """,
            "");
    Result result = new AgentJvm().agent("netty").run(program, "app.User");
    assertThat(result.out()).isEqualTo("ran\n");
    assertThat(result.err()).isEmpty();
    assertThat(jvm().run(program, "app.User").agentLines())
        .containsExactly(
            NO_SITES, "netty: classesFound=0, usedBytes=0, committedBytes=0, limitBytes=0");
  }

  @Test
  void tooOld_isLeftAloneAndWorks() {
    Path program = NettyPrograms.compile(folder, "PooledByteBufAllocator", "", NettyPrograms.OLD);
    Result result = run(jvm(), program, NettyPrograms.OLD, "app.User");
    assertThat(result.out())
        .as(result.err())
        .contains("UnsafeDirectByteBuf true true 42 5008 42 true true\n")
        .doesNotContain("Arenal");
    String named =
        "class=" + POOLED + ", loader=app, " + NettyPrograms.from(NettyPrograms.BUFFER_OLD);
    assertThat(result.agentLines())
        .containsExactly(
            "netty: found: " + named,
            "netty: left alone: "
                + named
                + ", reason=its buffers are not those that are known: missing=isReadOnly()Z,"
                + " missingCount=2 (expected Netty 4.1 or 4.2; tested with 4.1.100 to 4.1.130 and"
                + " 4.2.9 to 4.2.20)",
            NO_SITES,
            "netty: classesFound=1, usedBytes=0, committedBytes=0, limitBytes=0");
  }

  @Test
  void excluded_isLeftAlone() {
    Path program = NettyPrograms.compile(folder, "PooledByteBufAllocator", "", NettyPrograms.NEW);
    Result result =
        run(
            new AgentJvm().agent("netty,exclude=io.netty.*"),
            program,
            NettyPrograms.NEW,
            "app.User");
    assertThat(result.out()).startsWith("Pooled");
    assertThat(result.agentLines())
        .containsExactly(
            "netty: left alone: class="
                + POOLED
                + ", loader=app, "
                + NettyPrograms.from(NettyPrograms.BUFFER_NEW)
                + ", reason=excluded");
  }

  @Test
  void withoutNativeAccess_isLeftAlone() {
    Path program = NettyPrograms.compile(folder, "PooledByteBufAllocator", "", NettyPrograms.NEW);
    AgentJvm jvm =
        new AgentJvm().withoutNativeAccess().flags("--illegal-native-access=deny").agent("netty");
    Result result = run(jvm, program, NettyPrograms.NEW, "app.User");
    assertThat(result.out()).startsWith("Pooled");
    assertThat(result.agentLines())
        .hasSize(2)
        .last()
        .isEqualTo("netty: left alone: reason=see the line above");
  }

  /** A class with the name of an allocator that is not one. */
  @Test
  void otherShape_isLeftAlone() {
    Path program =
        NettyPrograms.compileText(
            folder,
            "my/netty/buffer/PooledByteBufAllocator.java",
            """
            package my.netty.buffer;
            public class PooledByteBufAllocator {
              public static void main(String[] arguments) { System.out.println("ran"); }
            }
            """,
            "");
    Result result =
        new AgentJvm().agent("netty").run(program, "my.netty.buffer.PooledByteBufAllocator");
    assertThat(result.out()).isEqualTo("ran\n");
    assertThat(result.agentLines())
        .containsExactly(
            "netty: left alone: class=my.netty.buffer.PooledByteBufAllocator, loader=app, "
                + NettyPrograms.from(program.toString())
                + ", reason=no such method: name=newDirectBuffer (expected as in Netty 4.1 or"
                + " 4.2)");
  }

  @Test
  void whatIsRefused_isAnOutOfMemoryError() {
    String text =
        """
        package app;

        import io.netty.buffer.*;

        public class User {
          public static void main(String[] arguments) {
            ByteBufAllocator allocator = new AdaptiveByteBufAllocator();
            java.util.List<ByteBuf> kept = new java.util.ArrayList<>();
            try {
              while (true) {
                kept.add(allocator.directBuffer(1 << 20));
              }
            } catch (OutOfMemoryError e) {
              boolean isFull = kept.size() > 25 && kept.size() <= 64;
              System.out.println(isFull + " " + e.getMessage().contains("netty"));
            }
            kept.forEach(ByteBuf::release);
            System.out.println(allocator.directBuffer(1 << 20).release());
          }
        }
        """;
    Path program = NettyPrograms.compileText(folder, "app/User.java", text, NettyPrograms.NEW);
    Result result = run(jvm(), program, NettyPrograms.NEW, "app.User");
    assertThat(result.out()).as(result.err()).isEqualTo("true true\ntrue\n");
  }

  @Test
  void noAddresses_leavesNettyItsOwnBuffers() {
    AgentJvm jvm =
        new AgentJvm()
            .afterShell("ulimit -v 16000000")
            .flags("-Xmx64m", "-XX:MaxDirectMemorySize=100g")
            .agent("netty");
    Path program = NettyPrograms.compile(folder, "PooledByteBufAllocator", "", NettyPrograms.NEW);
    Result result = run(jvm, program, NettyPrograms.NEW, "app.User");
    assertThat(result.out()).as(result.err()).startsWith("Pooled").contains(" 42 ");
    assertThat(result.agentLines())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("netty: left alone: class=" + POOLED)
        .contains(", reason=pages cannot be opened: cause=");
  }

  @Test
  void largestLimit_isTaken() {
    Path program = NettyPrograms.compile(folder, "PooledByteBufAllocator", "", NettyPrograms.NEW);
    AgentJvm jvm =
        new AgentJvm().flags("-Dio.netty.maxDirectMemory=" + Long.MAX_VALUE).agent("netty,summary");
    Result result = run(jvm, program, NettyPrograms.NEW, "app.User");
    assertThat(result.out()).as(result.err()).startsWith(IN_PAGES);
    assertThat(result.agentLines()).last().asString().endsWith(", limitBytes=4398046511104");
  }

  /** Code built on the allocators: subclasses, the ones for all, leak detection. */
  @Test
  void usesOfAllocators_areAsTheyWere() {
    String text =
        """
        package app;

        import io.netty.buffer.*;

        public class User {
          static class Own extends PooledByteBufAllocator {
            Own() { super(true); }
            @Override protected ByteBuf newDirectBuffer(int capacity, int max) {
              System.out.print("own ");
              return super.newDirectBuffer(capacity, max);
            }
          }

          static void say(ByteBufAllocator allocator) {
            ByteBuf buffer = allocator.ioBuffer(64, 128);
            ByteBuf inner = buffer.unwrap();
            buffer.writeZero(100);
            System.out.println(
                buffer.getClass().getSimpleName()
                + " " + inner.getClass().getSimpleName()
                + " " + buffer.capacity() + " " + buffer.release() + " " + buffer.refCnt());
          }

          public static void main(String[] arguments) {
            say(new Own());
            say(PooledByteBufAllocator.DEFAULT);
            say(ByteBufAllocator.DEFAULT);
            ByteBuf other = UnpooledByteBufAllocator.DEFAULT.directBuffer(64).unwrap();
            System.out.println(other.getClass().getSimpleName().startsWith("Arenal"));
          }
        }
        """;
    Path program = NettyPrograms.compileText(folder, "app/User.java", text, NettyPrograms.NEW);
    Result result =
        run(
            jvm().flags("-Dio.netty.leakDetection.level=paranoid"),
            program,
            NettyPrograms.NEW,
            "app.User");
    String line = "AdvancedLeakAwareByteBuf ArenalLinkedByteBuf 128 true 0\n";
    assertThat(result.out()).as(result.err()).isEqualTo("own " + line + line + line + "false\n");
    assertThat(result.agentLines()).filteredOn(text2 -> text2.contains("in pages")).hasSize(2);
    assertThat(result.agentLines()).anyMatch(text2 -> text2.contains(ADAPTIVE));
  }

  private static AgentJvm jvm() {
    return new AgentJvm().flags("-XX:MaxDirectMemorySize=64m").agent("netty,summary");
  }

  private static Result run(AgentJvm jvm, Path program, String classPath, String mainClass) {
    return jvm.runWords("-cp", program + File.pathSeparator + classPath, mainClass);
  }
}
