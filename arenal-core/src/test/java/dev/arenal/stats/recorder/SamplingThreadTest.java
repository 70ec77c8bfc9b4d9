package dev.arenal.stats.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.events.MemoryEvents;
import dev.arenal.machine.ChildJvm;
import dev.arenal.stats.Await;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.StatisticsUnit;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread: that it samples, keeps no owner alive and ends. */
@Timeout(90)
final class SamplingThreadTest {
  @Test
  void openRecorder_isSampledAndListed() {
    try (StatisticsRecorder first = StatisticsRecorder.open("Test", "first");
        StatisticsRecorder second = StatisticsRecorder.open("Test", "second")) {
      Counter counter = first.counter("Memory", "Count", StatisticsUnit.OPERATIONS_PER_SECOND);
      counter.add(10);
      assertThat(StatisticsRecorder.tables())
          .extracting(StatisticsTable::name)
          .containsSubsequence("first", "second");
      assertThat(second.snapshot().rows()).isEmpty();
      long dueNanos = first.dueNanos();
      Await.until(() -> first.dueNanos() > dueNanos); // by the thread: no test takes a snapshot
      Thread thread = Objects.requireNonNull(SamplingThread.thread());
      assertThat(thread.isDaemon()).isTrue();
      assertThat(thread.getName()).isEqualTo("arenal-statistics");
      assertThat(thread.getContextClassLoader()).isNull();
    }
    assertThat(StatisticsRecorder.tables())
        .extracting(StatisticsTable::name)
        .doesNotContain("first", "second");
  }

  @Test
  void droppedRecorder_isCollectedAndItsBeanGoes() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName bean = new ObjectName("dev.arenal:type=Test,name=\"dropped\"");
    WeakReference<StatisticsRecorder> dropped = drop(server, bean);
    Await.until(() -> {
      System.gc();
      return dropped.refersTo(null) && !server.isRegistered(bean);
    });
  }

  private static WeakReference<StatisticsRecorder> drop(MBeanServer server, ObjectName bean) {
    StatisticsRecorder recorder = StatisticsRecorder.open("Test", "dropped");
    var _ = recorder.counter("Memory", "Count", StatisticsUnit.OPERATIONS_PER_SECOND);
    Await.until(() -> server.isRegistered(bean));
    return new WeakReference<>(recorder);
  }

  /** Owners come and go while other threads ask: nothing is left, and no call fails. */
  @Test
  void manyOpenAndClose_whileOthersAsk() throws InterruptedException {
    List<Thread> owners = new ArrayList<>();
    AtomicInteger failures = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      owners.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, _) -> failures.incrementAndGet())
              .start(SamplingThreadTest::openAndClose));
    }
    while (owners.stream().anyMatch(Thread::isAlive)) {
      for (StatisticsTable table : StatisticsRecorder.tables()) {
        assertThat(table.toString()).startsWith("=== Memory Statistics: ");
      }
    }
    for (Thread owner : owners) {
      owner.join();
    }
    assertThat(failures).hasValue(0);
    assertThat(StatisticsRecorder.tables())
        .extracting(StatisticsTable::name)
        .doesNotContain("brief");
  }

  private static void openAndClose() {
    ReentrantLock lock = new ReentrantLock();
    for (int i = 0; i < 300; i++) {
      StatisticsRecorder recorder = StatisticsRecorder.open("Test", "brief");
      Counter counter = recorder.counter("Memory", "Count", StatisticsUnit.BYTES_PER_SECOND);
      recorder.counter(
          "Memory",
          "Locked",
          StatisticsUnit.BYTES_PER_SECOND,
          () -> {
            lock.lock(); // as allocators do
            try {
              return 1;
            } finally {
              lock.unlock();
            }
          });
      lock.lock();
      try {
        counter.add(1);
      } finally {
        lock.unlock();
      }
      recorder.close();
      assertThat(recorder.snapshot().rows().getFirst().sumEver()).isEqualTo(1);
    }
  }

  /** In a JVM of its own, where no other test has a recorder. */
  @Test
  void lastRecorderClosed_endsTheThread() throws IOException, InterruptedException {
    assertThat(runThreadProgram(List.of()))
        .isEqualTo("before=null, while=RUNNING, after=null, again=RUNNING, end=null, jfr=true\n");
  }

  @Test
  void withoutFlightRecorder_everythingElseWorks() throws IOException, InterruptedException {
    assertThat(runThreadProgram(List.of("--limit-modules", "java.base,java.management")))
        .isEqualTo("before=null, while=RUNNING, after=null, again=RUNNING, end=null, jfr=false\n");
  }

  @Test
  void withoutBeanServer_everythingElseWorks() throws IOException, InterruptedException {
    assertThat(runThreadProgram(List.of("-Djavax.management.builder.initial=no.such.Builder")))
        .isEqualTo("before=null, while=RUNNING, after=null, again=RUNNING, end=null, jfr=true\n");
  }

  /** The first class of an event costs a program a hundred milliseconds. */
  @Test
  void withoutRecording_noClassOfAnEventIsLoaded() throws IOException, InterruptedException {
    assertThat(runThreadProgram(List.of("-Xlog:class+load:stdout")))
        .contains(" dev.arenal.events.MemoryEvents ", " dev.arenal.stats.recorder.JfrRows ")
        .doesNotContain(" jdk.jfr.Event ");
  }

  /** To make a server takes 130 classes, which may never be looked at. */
  @Test
  void withoutBeanServer_noneIsMade_andALaterOneGetsTheBean()
      throws IOException, InterruptedException {
    assertThat(run(List.of(), BeanProgram.class))
        .isEqualTo("servers=0, registered=true, afterClose=false\n");
  }

  /** A server that the program keeps for itself says nothing of the platform's. */
  @Test
  void withAServerOfItsOwn_theProgramGetsNoOther() throws IOException, InterruptedException {
    assertThat(run(List.of("-Dhas.own.server=true"), BeanProgram.class))
        .isEqualTo("servers=1, registered=true, afterClose=false\n");
  }

  private static String runThreadProgram(List<String> flags)
      throws IOException, InterruptedException {
    return run(flags, ThreadProgram.class);
  }

  private static String run(List<String> flags, Class<?> program)
      throws IOException, InterruptedException {
    ChildJvm child = ChildJvm.run(flags, program);
    return child.out() + child.err();
  }

  /** Has an MBean server only after the first second. */
  static final class BeanProgram {
    private BeanProgram() {}

    public static void main(String[] args) throws JMException {
      ObjectName bean = new ObjectName("dev.arenal:type=Test,name=\"late\"");
      if (Boolean.getBoolean("has.own.server")) {
        MBeanServer _ = MBeanServerFactory.createMBeanServer("own");
      }
      StatisticsRecorder recorder = StatisticsRecorder.open("Test", "late");
      long dueNanos = recorder.dueNanos();
      Await.until(() -> recorder.dueNanos() > dueNanos);
      int serverCount = MBeanServerFactory.findMBeanServer(null).size();
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      Await.until(() -> server.isRegistered(bean));
      recorder.close();
      System.out.print(
          "servers="
              + serverCount
              + ", registered=true, afterClose="
              + server.isRegistered(bean)
              + '\n');
    }
  }

  /** Says when the thread is there. */
  static final class ThreadProgram {
    private ThreadProgram() {}

    public static void main(String[] args) {
      StringBuilder line = new StringBuilder("before=").append(state());
      StatisticsRecorder recorder = StatisticsRecorder.open("Test", "program");
      line.append(", while=").append(state());
      boolean isNoEventBegun =
          MemoryEvents.beginStall() == null
              && MemoryEvents.beginHarvest() == null
              && MemoryEvents.beginUncommit() == null
              && MemoryEvents.beginPretouch() == null;
      MemoryEvents.outOfMemory("Test", "program", 1, 1, 1);
      recorder.close();
      Await.until(() -> SamplingThread.thread() == null);
      line.append(", after=").append(state());
      recorder = StatisticsRecorder.open("Test", "program");
      line.append(", again=").append(state());
      recorder.close();
      Await.until(() -> SamplingThread.thread() == null);
      line.append(", end=").append(state());
      line.append(", jfr=").append(ModuleLayer.boot().findModule("jdk.jfr").isPresent());
      line.append(isNoEventBegun ? "" : ", event=begun");
      System.out.print(line.append('\n'));
    }

    private static String state() {
      Thread thread = SamplingThread.thread();
      return thread == null ? "null" : thread.isAlive() ? "RUNNING" : "ENDED";
    }
  }
}
