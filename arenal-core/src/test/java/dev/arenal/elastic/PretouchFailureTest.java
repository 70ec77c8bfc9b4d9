package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pretouch that is refused, fails or is cancelled leaves a space as it was. */
@Timeout(120)
final class PretouchFailureTest {
  private static final long MIB = 1 << 20;
  private static final int ENOUGH_CALLS = 500;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @ParameterizedTest
  @EnumSource
  void eachCallRefusedInTurn_leavesWhatWasThere(CommitMode mode) {
    for (int how = 0; how < 4; how++) {
      int call = 1;
      while (refuse(mode, how, call)) {
        call++;
        assertThat(call).isLessThan(ENOUGH_CALLS);
      }
    }
  }

  /** Returns whether there was a call to refuse. */
  private static boolean refuse(CommitMode mode, int how, int call) {
    SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    Budget budget = Budget.unlimited("all");
    ElasticSpace space =
        ElasticSpace.builder("test").operatingSystem(os).commitMode(mode).budget(budget).build();
    ElasticArena arena = space.openConfined();
    MemorySegment block = arena.allocate(3 * MIB).fill((byte) 3);
    ElasticArena gone = space.openConfined();
    var _ = gone.allocate(2 * MIB);
    gone.close();
    long committedBytes = space.committedBytes();
    Pretouch pretouch = Pretouch.upTo(20 * MIB).threads(1);
    pretouch = (how & 1) != 0 ? pretouch.withHugePages() : pretouch;
    pretouch = (how & 2) != 0 ? pretouch.method(PretouchMethod.TOUCH) : pretouch;
    os.failCalls(call, 1, Errno.ENOMEM);
    boolean failed = false;
    try {
      var _ = space.pretouch(pretouch);
    } catch (OutOfMemoryError e) {
      failed = true;
    }
    boolean refused = os.failureCount() > 0;
    os.succeed();
    space.verify();
    assertThat(space.committedBytes())
        .as("call=%d, how=%d", call, how)
        .isEqualTo(failed ? committedBytes : 20 * MIB);
    assertThat(budget.committedBytes()).isEqualTo(space.committedBytes());
    assertThat(space.floorBytes()).isEqualTo(failed ? 0 : 20 * MIB);
    assertThat(space.lastPretouch() == null).isEqualTo(failed);
    assertThat(os.backedBytes()).isLessThanOrEqualTo(space.committedBytes());
    assertThat(Contents.mismatch(block, (byte) 3)).isEqualTo(-1);
    arena.close();
    TestSpaces.closeAll(new ArrayList<>(List.of(space)), os);
    return refused;
  }

  @ParameterizedTest
  @EnumSource
  void kernelThatKeepsWhatIsGivenBack_losesNothing(CommitMode mode) {
    ElasticSpace space = spaces.build(spaces.builder("test").commitMode(mode));
    AtomicInteger populateCount = new AtomicInteger();
    spaces.os.beforePopulate(() -> {
      if (populateCount.incrementAndGet() == 3) {
        spaces.os.failAlways(Call.POPULATE, Errno.ENOMEM);
        spaces.os.failAlways(Call.DISCARD, Errno.EAGAIN);
        spaces.os.failAlways(Call.REVOKE, Errno.ENOMEM);
      }
    });
    assertThatThrownBy(() -> space.pretouch(Pretouch.upTo(70 * MIB).threads(1)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("pretouch failed: space=test, wantedBytes=73400320, touchedBytes=");
    spaces.os.beforePopulate(null);
    spaces.os.succeed();
    space.verify();
    assertThat(space.trim()).isPositive();
    assertThat(space.committedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void cancelledHalfWay_leavesWhatWasThere(CommitMode mode) {
    spaces.os.populateReally(); // else there is no half way
    for (int threadCount = 1; threadCount <= 3; threadCount++) {
      ElasticSpace space =
          spaces.build(spaces.builder("test").commitMode(mode).fixedSizeBytes(200 * MIB));
      try (ElasticArena arena = space.openShared()) {
        MemorySegment block = arena.allocate(MIB).fill((byte) 3);
        long committedBytes = space.committedBytes();
        long backedBefore = spaces.os.backedBytes();
        AtomicReference<Long> halfWay = new AtomicReference<>(0L);
        Pretouch pretouch =
            Pretouch.all()
                .threads(threadCount)
                .cancelWhen(() -> {
                  long bytes = space.committedBytes();
                  halfWay.set(bytes);
                  return bytes > 100 * MIB;
                });
        assertThatThrownBy(() -> space.pretouch(pretouch))
            .isInstanceOf(CancellationException.class)
            .hasMessageStartingWith("pretouch cancelled: space=test, wantedBytes=208666624, ");
        assertThat(halfWay.get()).isBetween(100 * MIB, 200 * MIB);
        assertThat(space.committedBytes()).isEqualTo(committedBytes);
        assertThat(space.budget().committedBytes()).isEqualTo(committedBytes);
        assertThat(spaces.os.backedBytes() - backedBefore).isLessThanOrEqualTo(MIB);
        assertThat(space.floorBytes()).isZero();
        assertThat(Contents.mismatch(block, (byte) 3)).isEqualTo(-1);
        space.verify();
      }
    }
  }

  @Test
  void listenerThatThrows_endsIt() {
    ElasticSpace space = spaces.space();
    IllegalStateException trouble = new IllegalStateException("enough");
    Pretouch pretouch =
        Pretouch.upTo(8 * MIB)
            .onProgress((done, total) -> {
              throw trouble;
            });
    assertThatThrownBy(() -> space.pretouch(pretouch)).isSameAs(trouble);
    assertThat(space.committedBytes()).isZero();
  }

  @Test
  void moreThanThereIs_isRefusedBeforeAnythingIsReserved() {
    MemoryFigures.Group group =
        new MemoryFigures.Group("/app.service", 512 * MIB, 400 * MIB, 10 * MIB);
    spaces.os.setMemoryFigures(() ->
        new MemoryFigures(
            900 * MIB,
            4000 * MIB,
            List.of(group),
            MemoryFigures.UNKNOWN,
            MIB,
            0,
            5000 * MIB,
            2000 * MIB));
    ElasticSpace space = spaces.space();
    assertThatThrownBy(() -> space.pretouch(Pretouch.upTo(200 * MIB)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("space=test, wantedBytes=209715200")
        .hasMessageContaining("controlGroup=/app.service, groupLimitBytes=536870912");
    assertThat(space.reservedBytes()).isZero();
    assertThat(space.committedBytes()).isZero();
    assertThatThrownBy(
            () -> spaces.builder("b").fixedSizeBytes(200 * MIB).pretouch(Pretouch.all()).build())
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("space=b, wantedBytes=209715200");
    assertThat(spaces.os.mappedBytes()).isZero();
    assertThat(space.pretouch(Pretouch.upTo(50 * MIB)).touchedBytes()).isEqualTo(50 * MIB);
    assertThat(space.pretouch(Pretouch.upTo(200 * MIB).forced()).touchedBytes())
        .isEqualTo(200 * MIB);
  }

  /** Whatever the kernel says when the addresses are to go. */
  @Test
  void build_failsForTheReasonOfItsPretouch() {
    spaces.os.failAlways(Call.RELEASE, Errno.ENOMEM);
    ElasticSpaceBuilder builder =
        spaces
            .builder("test")
            .fixedSizeBytes(64 * MIB)
            .budget(Budget.limitedTo("small", 10 * MIB))
            .pretouch(Pretouch.all().forced());
    assertThatThrownBy(builder::build)
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("native memory refused: space=test, ")
        .satisfies(e ->
            assertThat(e.getSuppressed())
                .singleElement(as(THROWABLE))
                .hasMessageStartingWith("address space was not given back: space=test, "));
    spaces.os.succeed();
    assertThat(spaces.os.unmapWhatIsLeft()).isEqualTo(1);
  }

  @Test
  void budgetThatIsTooSmall_isRefused() {
    Budget budget = Budget.limitedTo("small", 10 * MIB);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    assertThatThrownBy(() -> space.pretouch(Pretouch.upTo(11 * MIB)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("pretouch refused, limited by the budget: space=test, ")
        .hasMessageContaining("budget=small, budgetLimitBytes=10485760, budgetCommittedBytes=0");
    assertThatThrownBy(() -> space.pretouch(Pretouch.upTo(11 * MIB).forced()))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("native memory refused: space=test, requestedBytes=")
        .hasMessageContaining("the budget is used up");
    assertThat(budget.committedBytes()).isZero();
    assertThat(space.pretouch(Pretouch.upTo(10 * MIB)).touchedBytes()).isEqualTo(10 * MIB);
  }

  @Test
  void buildThatFails_leavesNothing() {
    Budget budget = Budget.unlimited("b");
    spaces.os.failAlways(Call.POPULATE, Errno.ENOMEM);
    assertThatThrownBy(() ->
            spaces
                .builder("test")
                .budget(budget)
                .fixedSizeBytes(20 * MIB)
                .pretouch(Pretouch.all())
                .build())
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("pretouch failed: space=test, ");
    spaces.os.succeed();
    assertThat(spaces.os.mappedBytes()).isZero();
    assertThat(budget.committedBytes()).isZero();
  }
}
