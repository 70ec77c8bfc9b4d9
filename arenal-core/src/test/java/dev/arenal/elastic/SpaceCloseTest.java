package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The end of a space: refused while in use, final, and safe against threads that are busy in it.
 */
@Timeout(60)
final class SpaceCloseTest {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @Test
  void close_withOpenArenas_isRefused() {
    ElasticSpace space = spaces.space();
    ElasticArena arena = space.openConfined();
    var _ = arena.allocate(100);
    long committedBytes = space.committedBytes();
    assertThatThrownBy(space::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "space has open arenas: space=test, openArenas=1"
                + " (expected all arenas to be closed before their space)");
    assertThat(space.committedBytes()).isEqualTo(committedBytes);
    var _ = arena.allocate(100);
    arena.close();
  }

  @Test
  void close_namesTheOpenArenas_eightAtMost() {
    ElasticSpace space = spaces.space();
    List<ElasticArena> arenas = new ArrayList<>();
    arenas.add(space.openConfined());
    arenas.add(space.openConfined("tenant-1"));
    arenas.add(space.openShared("tenant-2"));
    arenas.getFirst().close();
    assertThatThrownBy(space::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "space has open arenas: space=test, openArenas=2, names=[tenant-1, tenant-2]"
                + " (expected all arenas to be closed before their space)");
    for (int i = 3; i < 10; i++) {
      arenas.add(space.openConfined("tenant-" + i));
    }
    assertThatThrownBy(space::close)
        .hasMessageContaining("openArenas=9, names=[")
        .hasMessageContaining("tenant-8, ...] (expected")
        .message()
        .doesNotContain("tenant-9");
    arenas.subList(1, arenas.size()).forEach(ElasticArena::close);
    space.close();
  }

  /** No thread can close such an arena, and none can use its segments. */
  @Test
  void close_endsConfinedArenas_ofThreadsThatHaveEnded() throws InterruptedException {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(0));
    ElasticArena[] lost = new ElasticArena[3];
    MemorySegment[] block = new MemorySegment[1];
    Thread platform =
        Thread.ofPlatform()
            .start(() -> {
              lost[0] = space.openConfined("lost");
              block[0] = lost[0].allocate(100_000).fill((byte) 1);
              lost[1] = space.openConfined();
              lost[1].deallocate(lost[1].allocate(64));
            });
    Thread virtual = Thread.ofVirtual().start(() -> lost[2] = space.openConfined("empty"));
    ElasticArena open = space.openConfined("open");
    platform.join();
    virtual.join();
    long committedBytes = space.committedBytes();
    assertThatThrownBy(space::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "space has open arenas: space=test, openArenas=1, names=[open]"
                + " (expected all arenas to be closed before their space)");
    assertThat(space.committedBytes()).isEqualTo(committedBytes).isPositive();
    assertThat(space.report(ReportDetail.ARENAS).arenas())
        .extracting(SpaceReport.ArenaUsage::name, SpaceReport.ArenaUsage::ended)
        .containsExactlyInAnyOrder(
            tuple("lost", true), tuple(null, true), tuple("empty", true), tuple("open", false));
    assertThat(space.report(ReportDetail.ARENAS).toString())
        .contains("lost      ended    adaptive");
    open.close();
    space.verify();
    space.close();
    assertThat(space.isClosed()).isTrue();
    assertThat(space.arenaCount()).isZero();
    assertThat(space.budget().committedBytes()).isZero();
    assertThat(spaces.os.mappedBytes()).isZero();
    assertThatThrownBy(() -> block[0].get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(WrongThreadException.class);
    assertThatThrownBy(lost[0]::close).isInstanceOf(WrongThreadException.class);
    assertThat(lost[0].usedBytes()).isZero();
  }

  @Test
  void arena_isDescribed_byAnyThread_openAndClosed() throws InterruptedException {
    ElasticSpace space = spaces.space();
    ElasticArena confined = space.openConfined("tenant-1");
    var _ = confined.allocate(100);
    List<String> texts = new CopyOnWriteArrayList<>();
    Thread.ofPlatform().start(() -> texts.add(confined.toString())).join();
    confined.close();
    texts.add(confined.toString());
    try (ElasticArena shared = space.openShared()) {
      texts.add(shared.toString());
    }
    assertThat(texts)
        .containsExactly(
            "ElasticArena[space=test, arena=tenant-1, usedBytes=104]",
            "ElasticArena[space=test, arena=tenant-1, closed]",
            "ElasticArena[space=test, arena=null, usedBytes=0]");
  }

  @Test
  void close_twice_hasNoEffect() {
    ElasticSpace space = spaces.space();
    space.close();
    space.close();
    assertThat(space.reservedBytes()).isZero();
  }

  @Test
  void open_afterClose_isRefused() {
    ElasticSpace space = spaces.space();
    space.close();
    assertThatThrownBy(space::openShared)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("space is closed: space=test (expected an open space)");
  }

  @Test
  void closedSpace_answersQuestionsWithNothing() {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(1 << 20));
    ElasticArena arena = space.openConfined();
    var _ = arena.allocate(100_000);
    arena.close();
    space.close();
    space.verify();
    assertThat(space.trim()).isZero();
    assertThat(space.committedBytes()).isZero();
    assertThat(space.usedBytes()).isZero();
    assertThat(space.arenaCount()).isZero();
  }

  /**
   * A close that waits for claimed memory must see an arena that was opened meanwhile: unmapping
   * its memory would take the JVM down.
   */
  @Test
  void close_whileAnotherThreadTrims_seesArenaOpenedMeanwhile() throws Exception {
    ElasticSpace space =
        spaces.build(spaces.builder("test").commitMode(CommitMode.DISCARD).reserveBytes(1 << 20));
    ElasticArena first = space.openConfined();
    var _ = first.allocate(500_000);
    first.close();
    assertThat(space.committedBytes()).isPositive();
    CountDownLatch trimming = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    spaces.os.beforeDiscard(() -> {
      trimming.countDown();
      awaitUninterruptibly(goOn);
    });
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Long> trim = threads.submit(space::trim);
      trimming.await();
      Thread[] closer = new Thread[1];
      Future<?> close =
          threads.submit(() -> {
            closer[0] = Thread.currentThread();
            space.close();
          });
      while (closer[0] == null || !Crew.isWaiting(closer[0])) {
        Thread.sleep(1);
      }
      ElasticArena late = space.openConfined("late");
      goOn.countDown();
      assertThat(trim.get()).isPositive();
      assertThatThrownBy(close::get).hasCauseInstanceOf(IllegalStateException.class);
      var _ = late.allocate(64).fill((byte) 1);
      late.close();
    }
  }

  @Test
  void addressesThatTheKernelKeeps_areGivenBackByTheNextClose() {
    ElasticSpace space = spaces.space();
    ElasticArena arena = space.openConfined();
    var _ = arena.allocate(100_000);
    arena.close();
    spaces.os.failAlways(Call.RELEASE, Errno.ENOMEM);
    assertThatThrownBy(space::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "address space was not given back: space=test, reservedBytes="
                + (64 << 20)
                + ", errno=ENOMEM (12) (close the space again)");
    assertThat(space.reservedBytes()).isEqualTo(64 << 20);
    assertThat(space.isClosed()).isFalse();
    assertThatThrownBy(space::openShared).isInstanceOf(IllegalStateException.class);
    spaces.os.succeed();
    space.close();
    assertThat(space.isClosed()).isTrue();
    assertThat(space.isDamaged()).isFalse();
    assertThat(space.reservedBytes()).isZero();
    assertThat(space.budget().committedBytes()).isZero();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("not told to go on");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
