package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.ResidentSize;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A space that is pretouched while others are at work in it, or with it. */
@Timeout(120)
final class PretouchWhileInUseTest {
  private static final long MIB = 1 << 20;
  private static final int MILLIS = Seeds.draws(600);

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  /** The strict kernel complains of each page that is touched and not accessible. */
  @ParameterizedTest
  @EnumSource
  void arenasComeAndGo_contentsStay_simulated(CommitMode mode) throws Exception {
    for (ReclaimPolicy policy : List.of(ReclaimPolicy.BALANCED, ReclaimPolicy.AGGRESSIVE)) {
      ElasticSpace space =
          spaces.build(spaces.builder("busy").commitMode(mode).reclaimPolicy(policy));
      work(space, mode + "simulated" + policy);
      var _ = space.trim();
      assertThat(spaces.os.backedBytes()).isZero();
      spaces.os.assertNoComplaints();
    }
  }

  /** The same on the kernel itself: a page that is touched and not accessible ends the JVM. */
  @ParameterizedTest
  @EnumSource
  void arenasComeAndGo_contentsStay(CommitMode mode) throws Exception {
    long residentBefore = ResidentSize.bytes();
    try (ElasticSpace space =
        ElasticSpace.builder("real").commitMode(mode).reserveBytes(MIB).build()) {
      work(space, mode + "real");
      var _ = space.trim();
      assertThat(space.committedBytes()).isZero();
      space.verify();
    }
    assertThat(ResidentSize.bytes() - residentBefore)
        .isLessThan(200 * MIB); // of the heap; a leak would be more
  }

  private static void work(ElasticSpace space, String name) throws Exception {
    Crew crew = new Crew(name, MILLIS);
    AtomicInteger doneCount = new AtomicInteger();
    crew.goOnUntil(() -> doneCount.get() > 0);
    for (int i = 1; i <= 3; i++) {
      byte tag = (byte) i;
      crew.add(random -> useAndClose(space, tag, random));
    }
    crew.add(random -> {
      Pretouch pretouch = Pretouch.upTo(random.nextLong(48 * MIB)).threads(2);
      pretouch = random.nextBoolean() ? pretouch.withHugePages() : pretouch;
      pretouch = random.nextBoolean() ? pretouch.method(PretouchMethod.TOUCH) : pretouch;
      boolean cancels = random.nextInt(4) == 0;
      try {
        var _ = space.pretouch(cancels ? pretouch.cancelWhen(() -> true) : pretouch);
        doneCount.incrementAndGet();
      } catch (CancellationException e) {
        assertThat(cancels).isTrue();
      }
    });
    crew.add(random -> {
      if (random.nextInt(4) == 0) {
        var _ = space.trim();
      }
      space.verify();
      Thread.sleep(random.nextInt(5));
    });
    crew.join();
    assertThat(doneCount).hasPositiveValue();
    space.verify();
    assertThat(space.usedBytes()).isZero();
  }

  private static void useAndClose(ElasticSpace space, byte tag, SplittableRandom random) {
    List<MemorySegment> blocks = new ArrayList<>();
    try (ElasticArena arena =
        random.nextBoolean() ? space.openConfined("c") : space.openShared("s")) {
      int blockCount = random.nextInt(60);
      for (int i = 0; i < blockCount; i++) {
        long size = random.nextLong(1L << random.nextInt(19)) + 1;
        MemorySegment block = arena.allocate(size);
        assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
        Contents.write(block, tag);
        blocks.add(block);
        if (random.nextInt(3) == 0) {
          MemorySegment dead = blocks.remove(random.nextInt(blocks.size()));
          assertThat(Contents.mismatch(dead, tag)).isEqualTo(-1);
          arena.deallocate(dead);
        }
      }
      for (MemorySegment block : blocks) {
        assertThat(Contents.mismatch(block, tag)).isEqualTo(-1);
      }
    }
  }

  @Test
  void close_secondPretouch_andMore_fromACallback() {
    spaces.os.populateReally(); // so that there is progress to be told
    ElasticSpace space = spaces.build(spaces.builder("test").fixedSizeBytes(64 * MIB));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Pretouch pretouch =
        Pretouch.all()
            .threads(2)
            .onProgress((doneBytes, totalBytes) -> {
              try {
                meddle(space);
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    assertThat(space.pretouch(pretouch).touchedBytes()).isEqualTo(64 * MIB);
    assertThat(failure).hasNullValue();
    space.verify();
  }

  private static void meddle(ElasticSpace space) {
    assertThatThrownBy(space::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "space is being pretouched: space=test"
                + " (expected the pretouch to have ended or to be cancelled before the close)");
    assertThatThrownBy(() -> space.pretouch(Pretouch.all()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("space is being pretouched: space=test (expected one pretouch at a time)");
    space.verify();
    assertThat(space.report().committedBytes()).isPositive();
    try (ElasticArena arena = space.openConfined()) {
      assertThat(arena.allocate(1000).byteSize()).isEqualTo(1000);
      assertThatThrownBy(() -> arena.allocate(65 * MIB)).isInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void callbacks_areCalledWithoutTheLockOfTheSpace() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(20 * MIB);
      AtomicInteger askedCount = new AtomicInteger();
      Pretouch pretouch =
          Pretouch.upTo(40 * MIB)
              .cancelWhen(() -> {
                askedCount.incrementAndGet();
                return othersWait(space);
              });
      assertThat(space.pretouch(pretouch).touchedBytes()).isEqualTo(20 * MIB);
      assertThat(askedCount).hasPositiveValue();
    }
  }

  /** Whether another thread cannot have the lock. */
  private static boolean othersWait(ElasticSpace space) {
    CountDownLatch had = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              if (space.committedBytes() >= 0) {
                had.countDown();
              }
            });
    try {
      return !other.join(Duration.ofSeconds(30)) || had.getCount() > 0;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
