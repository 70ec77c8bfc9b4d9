package dev.arenal.stats.recorder;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static dev.arenal.callbacks.PretouchCallback.inAnotherThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.SpaceAccess;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.reserve.Ledger;
import dev.arenal.stats.Await;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readers of figures that use the library where they are called: handlers of a recording, hooks of
 * periodic events, readers of MBeans; and callbacks of the library that read figures.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReaderCallbackTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final long MIB = 1 << 20;
  private static final byte STAMP = 7;

  private final Budget budget = Budget.limitedTo("read", 256 * MIB);
  private final ReentrantLock ofProgram = new ReentrantLock();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger running = new AtomicInteger();
  private ElasticSpace space = ElasticSpace.builder("read").budget(budget).build();
  private PageAllocator pages =
      PageAllocator.builder("read").budget(budget).capacityBytes(64 * MIB).build();
  private final ElasticArena arena = space.openShared("live");
  private final MemorySegment block = arena.allocate(300_000);
  private final PageBuffer buffer = pages.allocate(300_000, PageAge.LONG_LIVED);

  @BeforeEach
  void stamp() throws JMException {
    Contents.write(block, STAMP);
    Contents.write(buffer.segment(), STAMP);
    assertThat(space.statistics().toString()).contains("read");
    for (ObjectName bean : beans()) {
      Await.until(() -> SERVER.isRegistered(bean));
    }
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(Contents.mismatch(block, STAMP)).isEqualTo(-1);
    assertThat(Contents.mismatch(buffer.segment(), STAMP)).isEqualTo(-1);
    SpaceAccess.verify(space);
    arena.close();
    buffer.close();
    space.close();
    pages.close();
    assertThat(budget.committedBytes()).isZero();
  }

  private static List<ObjectName> beans() throws JMException {
    return List.of(
        new ObjectName("dev.arenal:type=ElasticSpace,name=\"read\""),
        new ObjectName("dev.arenal:type=PageAllocator,name=\"read\""));
  }

  /** What readers do. */
  private enum Action {
    ALLOCATE,
    TRIM,
    REPORT,
    READ_BEANS,
    PRETOUCH,
    OPEN_AND_CLOSE,
    CLOSE_REFUSED,
    WAIT_FOR_A_LOCK,
    WAIT_FOR_ANOTHER,
    THROW_EXCEPTION,
    THROW_STACK_OVERFLOW,
    THROW_OUT_OF_MEMORY
  }

  private void act(Action action) {
    switch (action) {
      case ALLOCATE -> allocate();
      case TRIM -> assertThat(space.trim() + pages.trim()).isNotNegative();
      case REPORT -> assertThat(space.report() + pages.report().toString()).contains("read");
      case READ_BEANS -> readBeans();
      case PRETOUCH -> pretouch();
      case OPEN_AND_CLOSE -> openAndClose();
      case CLOSE_REFUSED -> {
        assertThatThrownBy(space::close)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith("space ");
        assertThatThrownBy(pages::close).isInstanceOf(IllegalStateException.class);
      }
      case WAIT_FOR_A_LOCK -> underLock(this::allocate);
      case WAIT_FOR_ANOTHER -> assertThat(inAnotherThread(this::openAndClose)).isNull();
      case THROW_EXCEPTION -> throw new IllegalArgumentException("of a reader");
      case THROW_STACK_OVERFLOW -> throw new StackOverflowError("of a reader");
      case THROW_OUT_OF_MEMORY -> throw new OutOfMemoryError("of a reader");
    }
  }

  private void underLock(Runnable call) {
    try {
      assertThat(ofProgram.tryLock(30, TimeUnit.SECONDS)).as("the holder hangs").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    try {
      call.run();
    } finally {
      ofProgram.unlock();
    }
  }

  private void allocate() {
    try (ElasticArena brief = space.openConfined("brief")) {
      for (int i = 1; i < 20; i++) {
        MemorySegment fresh = brief.allocate(i * 3000L);
        assertThat(Contents.mismatchZero(fresh)).isEqualTo(-1);
        Contents.write(fresh, (byte) 99);
      }
      MemorySegment ofArena = arena.allocate(5000);
      assertThat(Contents.mismatchZero(ofArena)).isEqualTo(-1);
      Contents.write(ofArena, (byte) 99);
      arena.deallocate(ofArena);
    }
    for (int sizeBytes : new int[] {100, 50_000, 3_000_000}) {
      try (PageBuffer brief = pages.allocate(sizeBytes, PageAge.SHORT_LIVED)) {
        assertThat(Contents.mismatchZero(brief.segment())).isEqualTo(-1);
        Contents.write(brief.segment(), (byte) 99);
      }
    }
  }

  private static void readBeans() {
    try {
      for (ObjectName bean : beans()) {
        assertThat((String) SERVER.getAttribute(bean, "Table")).contains("read");
        assertThat(SERVER.getAttribute(bean, "Rows")).isNotNull();
      }
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  private void pretouch() {
    try {
      assertThat(space.pretouch(Pretouch.upTo(4 * MIB)).target()).startsWith("space=");
      assertThat(pages.pretouch(Pretouch.upTo(4 * MIB)).target()).startsWith("allocator=");
    } catch (IllegalStateException e) { // that of another reader is going on
      assertThat(e).hasMessageMatching("space is being pretouched: .*|pretouch is running: .*");
    }
  }

  private void openAndClose() {
    try (ElasticSpace brief = ElasticSpace.builder("brief").budget(budget).build();
        PageAllocator briefPages =
            PageAllocator.builder("brief").budget(budget).capacityBytes(8 * MIB).build();
        ElasticArena ofBrief = brief.openConfined();
        PageBuffer briefBuffer = briefPages.allocate(1000, PageAge.SHORT_LIVED)) {
      Contents.write(ofBrief.allocate(1000), STAMP);
      Contents.write(briefBuffer.segment(), STAMP);
      assertThat(brief.statistics().toString()).contains("brief");
    }
  }

  /** Asked for by a recording; its hook is the program's. */
  @Name("dev.arenal.test.Reader")
  private static final class ReaderEvent extends Event {}

  /** Where a reader is called. */
  private enum Reader {
    HANDLER,
    HOOK,
    BEAN
  }

  private final Map<Reader, AtomicInteger> counts = new EnumMap<>(Reader.class);

  private void called(Reader reader) {
    running.incrementAndGet();
    try {
      if (!isOver.get()) {
        callBack(reader);
      }
    } finally {
      running.decrementAndGet();
    }
  }

  private void callBack(Reader reader) {
    int number = Objects.requireNonNull(counts.get(reader)).getAndIncrement();
    Action action = Action.values()[number % Action.values().length];
    boolean throwing = action.name().startsWith("THROW");
    try {
      act(action);
    } catch (Throwable e) {
      if (!throwing) {
        failures.add(new AssertionError("reader=" + reader + ", action=" + action, e));
      } else {
        throw e;
      }
    }
  }

  /** An error of the JVM would end the thread of the stream; exceptions do not. */
  private void handle() {
    try {
      called(Reader.HANDLER);
    } catch (VirtualMachineError e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each of them, again and again, while the program works and holds a lock of its own. */
  @Test
  void handlersHooksAndBeans_callBack() {
    for (Reader reader : Reader.values()) {
      counts.put(reader, new AtomicInteger());
    }
    Runnable hook = () -> called(Reader.HOOK);
    Thread ofBeans =
        Thread.ofPlatform()
            .start(() -> {
              while (!isOver.get()) {
                readBeans();
                var _ = failureOf(() -> called(Reader.BEAN));
              }
            });
    FlightRecorder.addPeriodicEvent(ReaderEvent.class, hook);
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("dev.arenal.MemoryStatistics").withPeriod(Duration.ofMillis(20));
      stream.enable(ReaderEvent.class).withPeriod(Duration.ofMillis(20));
      for (String name : List.of("Uncommit", "Pretouch", "PageAllocatorStall")) {
        stream.enable("dev.arenal." + name).withThreshold(Duration.ZERO);
      }
      stream.onEvent(_ -> handle());
      stream.onError(_ -> {}); // of the actions that throw
      stream.startAsync();
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      int enough = 2 * Action.values().length;
      while (counts.values().stream().anyMatch(count -> count.get() < enough)) {
        assertThat(System.nanoTime()).as("readers hang: %s", counts).isLessThan(deadlineNanos);
        underLock(() -> {
          allocate();
          pretouch();
          assertThat(space.trim() + pages.trim()).isNotNegative();
        });
      }
      isOver.set(true);
    } finally {
      isOver.set(true);
      FlightRecorder.removePeriodicEvent(hook);
    }
    assertThat(failureOf(() -> join(ofBeans))).isNull();
    Await.until(() -> running.get() == 0); // a removed hook may still be in its last call
    assertThat(failures).isEmpty();
  }

  /** Callbacks of the library that read all figures, themselves and by a thread they wait for. */
  @Test
  @SuppressWarnings("restricted") // cleanup actions are attached so
  void callbacksOfTheLibrary_readFigures() {
    AtomicInteger callCount = new AtomicInteger();
    Runnable reading =
        () -> {
          callCount.incrementAndGet();
          note(failureOf(ReaderCallbackTest::readBeans));
          note(inAnotherThread(ReaderCallbackTest::readBeans));
          note(inAnotherThread(() -> act(Action.REPORT)));
          note(inAnotherThread(() -> assertThat(StatisticsRecorder.tables()).isNotEmpty()));
        };
    LongSupplier reclaimer =
        () -> {
          reading.run();
          return 0;
        };
    Ledger.of(budget).addReclaimer(reclaimer);
    try {
      ElasticArena closing = space.openShared("closing");
      MemorySegment ofClosing = closing.allocate(1000);
      var _ = ofClosing.reinterpret(1000, closing, _ -> reading.run());
      closing.close();
      Pretouch wanted =
          Pretouch.upTo(8 * MIB)
              .threads(2)
              .cancelWhen(() -> {
                reading.run();
                return false;
              })
              .onProgress((_, _) -> reading.run());
      var _ = space.pretouch(wanted);
      var _ = pages.pretouch(wanted);
      assertThat(callCount.get()).isGreaterThan(4);
      int before = callCount.get();
      var _ = arena.allocate(100); // what is left is less than the limit
      assertThatThrownBy(() -> arena.allocate(256 * MIB)).isInstanceOf(OutOfMemoryError.class);
      assertThat(callCount.get()).isGreaterThan(before);
    } finally {
      Ledger.of(budget).removeReclaimer(reclaimer);
    }
    assertThat(failures).isEmpty();
  }

  private void note(@Nullable Throwable failure) {
    if (failure != null) {
      failures.add(failure);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(30_000);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(thread.isAlive()).isFalse();
  }
}
