package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.NativeMemory;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.stats.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Free memory of one supply goes to another one of the budget, where both share. */
final class SharingTest {
  private static final long STAMP = 0x5157_4d50_5157_4d50L;

  @RegisterExtension private final Supplies supplies = new Supplies();

  @Test
  void freeGranules_goToAnotherOfTheBudget() {
    PageSupply giver = sharing();
    PageSupply receiver = sharing();
    giveBackStamped(giver, 20 * MIB);
    int discards = supplies.os.callCount(Call.DISCARD);
    PageMemory page = take(receiver, 20 * MIB);
    assertThat(supplies.budget.committedBytes()).isEqualTo(20 * MIB);
    assertThat(giver.figures().committedBytes()).isZero();
    assertThat(receiver.figures().committedBytes()).isEqualTo(20 * MIB);
    assertThat(supplies.os.callCount(Call.MOVE)).isEqualTo(10);
    assertThat(supplies.os.callCount(Call.DISCARD)).isEqualTo(discards);
    assertThat(page.isZero).as("it has what the giver wrote").isFalse();
    assertThat(segment(page).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(STAMP);
    assertThat(giver.statistics().givenBytes.get()).isEqualTo(20 * MIB);
    assertThat(receiver.statistics().receivedBytes.get()).isEqualTo(20 * MIB);
    verify(giver, receiver);

    // And what the giver takes now is its own, and zero.
    PageMemory other = take(giver, 20 * MIB);
    assertThat(other.isZero).isTrue();
    assertThat(segment(other).get(ValueLayout.JAVA_LONG, 0)).isZero();
    verify(giver, receiver);
  }

  /** It moves, and a mapping that moves takes its name along. */
  @Test
  void givenGranules_getTheNameOfTheReceiver() {
    supplies.sharesFree = true;
    supplies.os.setCanName(true);
    PageSupply giver = supplies.open(supplies.os.named("giver"));
    PageSupply receiver = supplies.open(supplies.os.named("receiver"));
    giveBackStamped(giver, 20 * MIB);
    PageMemory page = take(receiver, 20 * MIB);
    assertThat(supplies.os.callCount(Call.MOVE)).isEqualTo(10);
    assertThat(supplies.os.names(page.address, page.sizeBytes)).containsExactly("arenal: receiver");
    verify(giver, receiver);
  }

  /** Also where the budget has no room for memory of its own. */
  @Test
  void fullBudget_isEnoughForWhatOthersHaveFree() {
    supplies.budget = Budget.limitedTo("b", 20 * MIB);
    PageSupply giver = sharing();
    PageSupply receiver = sharing();
    giveBackStamped(giver, 20 * MIB);
    assertThat(receiver.tryTake(PageKind.LARGE, 22 * MIB, 0)).isNull();
    assertThat(giver.figures().cachedBytes() + receiver.figures().cachedBytes())
        .isEqualTo(20 * MIB);
    assertThat(take(receiver, 20 * MIB).sizeBytes).isEqualTo(20 * MIB);
    verify(giver, receiver);
  }

  /** Of several givers, and only what is missing: its own cache comes first. */
  @Test
  void manyGivers_makeUpForWhatIsMissing() {
    PageSupply first = sharing();
    PageSupply second = sharing();
    PageSupply receiver = sharing();
    PageMemory ofFirst = take(first, 4 * MIB);
    PageMemory ofSecond = take(second, 6 * MIB);
    PageMemory own = take(receiver, 8 * MIB);
    first.giveBack(ofFirst, 0);
    second.giveBack(ofSecond, 0);
    receiver.giveBack(own, 0);
    PageMemory page = take(receiver, 30 * MIB);
    assertThat(page.isZero).isFalse();
    assertThat(supplies.budget.committedBytes()).isEqualTo(30 * MIB);
    assertThat(first.statistics().givenBytes.get()).isEqualTo(4 * MIB);
    assertThat(second.statistics().givenBytes.get()).isEqualTo(6 * MIB);
    assertThat(receiver.statistics().receivedBytes.get()).isEqualTo(10 * MIB);
    verify(first, second, receiver);
  }

  @Test
  void whatDoesNotShare_givesAndTakesNothing() {
    PageSupply giver = supplies.open();
    PageSupply receiver = sharing();
    giveBackStamped(giver, 8 * MIB);
    assertThat(take(receiver, 8 * MIB).isZero).isTrue();
    assertThat(giver.figures().cachedBytes()).isEqualTo(8 * MIB);
    giveBackStamped(receiver, 8 * MIB);
    supplies.sharesFree = false;
    assertThat(take(supplies.open(), 8 * MIB).isZero).isTrue();
    assertThat(receiver.figures().cachedBytes()).isEqualTo(8 * MIB);
    assertThat(supplies.os.callCount(Call.MOVE)).isZero();
  }

  @Test
  void budgetOfItsOwn_sharesWithNone() {
    PageSupply giver = sharing();
    giveBackStamped(giver, 8 * MIB);
    supplies.budget = Budget.unlimited("other");
    assertThat(take(sharing(), 8 * MIB).isZero).isTrue();
    assertThat(giver.figures().cachedBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void floorOfTheGiver_stays() {
    supplies.floorBytes = 6 * MIB;
    PageSupply giver = sharing();
    supplies.floorBytes = 0;
    PageSupply receiver = sharing();
    giveBackStamped(giver, 20 * MIB);
    take(receiver, 20 * MIB);
    assertThat(giver.figures().committedBytes()).isEqualTo(6 * MIB);
    assertThat(supplies.budget.committedBytes()).isEqualTo(26 * MIB);
    verify(giver, receiver);
  }

  /** Two take at a time: what the first has claimed still counts as the giver's. */
  @Test
  void floorOfTheGiver_stays_whereTwoTakeAtATime() {
    supplies.floorBytes = 16 * MIB;
    PageSupply giver = sharing();
    supplies.floorBytes = 0;
    giveBackStamped(giver, 20 * MIB);
    int[] granted = new int[2];
    take(
        4,
        first -> {
          granted[0] = first.count();
          return take(
              4,
              second -> {
                granted[1] = second.count();
                return null;
              });
        });
    assertThat(granted).containsExactly(2, 0);
    assertThat(giver.figures().cachedBytes()).isEqualTo(20 * MIB);
    verify(giver);
  }

  /** Its free memory is with another allocator, which returns it: it waits instead of failing. */
  @Test
  void giverIsNotRefused_whatAnotherReturns() throws Exception {
    supplies.budget = Budget.limitedTo("b", 20 * MIB);
    PageSupply giver = sharing();
    Supplies.beForbearing(giver);
    giveBackStamped(giver, 20 * MIB);
    AtomicReference<CompletableFuture<@Nullable PageMemory>> own = new AtomicReference<>();
    take(
        10,
        loan -> {
          own.set(CompletableFuture.supplyAsync(() -> giver.tryTake(PageKind.LARGE, 20 * MIB, 0)));
          await(() -> giver.toString().contains("loanCount=1"));
          pause();
          assertThat(own.get()).isNotDone();
          return null;
        });
    assertThat(own.get().get()).isNotNull();
    verify(giver);
  }

  /**
   * A build that fails while another owner has it give back: that one is waited for, also beyond
   * the time in which claims count that a failed pretouch may have left behind.
   */
  @ParameterizedTest
  @ValueSource(longs = {5_000_000_000L, 1})
  void abandonedSupply_waitsForAThreadThatHasSomeOfItsMemory(long longestNanos) throws Exception {
    supplies.longestCloseWaitNanos = longestNanos;
    PageSupply giver = sharing();
    giveBackStamped(giver, 20 * MIB);
    CountDownLatch claimed = new CountDownLatch(1);
    AtomicBoolean isMapped = new AtomicBoolean();
    CompletableFuture<?> abandoned =
        CompletableFuture.runAsync(() -> {
          await(() -> claimed.getCount() == 0);
          giver.abandon();
        });
    take(
        10,
        loan -> {
          claimed.countDown();
          pause();
          isMapped.set(supplies.os.mappedBytes() > 0 && !abandoned.isDone());
          return null;
        });
    abandoned.get();
    assertThat(isMapped).isTrue();
    assertThat(supplies.os.mappedBytes()).isZero();
  }

  /** As an allocator does that lacks so many granules; a closed one, which has none itself. */
  private <R> @Nullable R take(int mostGranules, Function<Loan, @Nullable R> use) {
    PageSupply asking = sharing();
    asking.close();
    return Loan.take(asking.state, mostGranules, use);
  }

  private static void await(BooleanSupplier condition) {
    Await.until(condition);
  }

  /** Long enough for the other thread to do what it must not do. */
  private static void pause() {
    LockSupport.parkNanos(50_000_000);
  }

  @Test
  void memoryThatIsProtected_isNotMoved() {
    supplies.mode = CommitMode.PROTECT;
    PageSupply giver = sharing();
    giveBackStamped(giver, 8 * MIB);
    assertThat(take(sharing(), 8 * MIB).isZero).isTrue();
    assertThat(giver.figures().cachedBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void closedGiver_givesNothing() {
    PageSupply giver = sharing();
    PageSupply receiver = sharing();
    giveBackStamped(giver, 8 * MIB);
    giver.close();
    assertThat(take(receiver, 8 * MIB).isZero).isTrue();
    assertThat(supplies.budget.committedBytes()).isEqualTo(8 * MIB);
  }

  /** The kernel does not move one of them, or none: it is given back there and comes here. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 1000})
  void granulesThatAreNotMoved_comeAsNewMemory(int refusedCount) {
    PageSupply giver = sharing();
    PageSupply receiver = sharing();
    giveBackStamped(giver, 20 * MIB);
    supplies.os.failAlways(Call.MOVE, refusedCount == 1000 ? Errno.EINVAL : Errno.ENOMEM);
    supplies.os.failCalls(1, refusedCount, Errno.ENOMEM);
    PageMemory page = receiver.tryTake(PageKind.LARGE, 20 * MIB, 0);
    supplies.os.succeed();
    if (page != null) {
      MemorySegment memory = segment(page);
      for (long at = 0; at < page.sizeBytes; at += 2 * MIB) {
        long word = memory.get(ValueLayout.JAVA_LONG, at);
        assertThat(word).isIn(0L, STAMP);
        assertThat(page.isZero && word != 0).isFalse();
      }
    }
    verify(giver, receiver);
    assertThat(giver.figures().committedBytes() + receiver.figures().committedBytes())
        .isEqualTo(supplies.budget.committedBytes());
  }

  /** Addresses of the receiver that are excluded in the middle: they are never written again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void excludedAddresses_areNotUsedAgain(boolean isTaken) {
    PageSupply giver = sharing();
    PageSupply receiver = sharing();
    giveBackStamped(giver, 20 * MIB);
    supplies.os.failMovesAfterUnmap(Errno.ENOMEM, isTaken);
    PageMemory page = take(receiver, 20 * MIB);
    segment(page).fill((byte) 7);
    supplies.os.failMovesAfterUnmap(0, false);
    verify(giver, receiver);
    assertThat(giver.figures().committedBytes() + receiver.figures().committedBytes())
        .isEqualTo(supplies.budget.committedBytes());
    assertThat(supplies.os.assertForeignIntact()).isEqualTo(isTaken ? 1 : 0);
  }

  /** Memory that has just been given is not free for long: nothing is left to go back later. */
  @Test
  void givenMemory_isOffTheCycleOfTheGiver() {
    supplies.uncommitDelay = Duration.ofSeconds(1);
    PageSupply giver = sharing();
    PageSupply receiver = sharing();
    giver.tick(0);
    giveBackStamped(giver, 8 * MIB);
    take(receiver, 8 * MIB);
    for (long nanos = 0; nanos < 5_000_000_000L; nanos += 250_000_000) {
      giver.tick(nanos);
      receiver.tick(nanos);
    }
    assertThat(supplies.budget.committedBytes()).isEqualTo(8 * MIB);
    verify(giver, receiver);
  }

  private PageSupply sharing() {
    supplies.sharesFree = true;
    return supplies.open();
  }

  private static PageMemory take(PageSupply supply, long sizeBytes) {
    return Objects.requireNonNull(supply.tryTake(PageKind.LARGE, sizeBytes, 0));
  }

  private static void giveBackStamped(PageSupply supply, long sizeBytes) {
    PageMemory page = take(supply, sizeBytes);
    MemorySegment memory = segment(page);
    for (long at = 0; at < sizeBytes; at += MIB) {
      memory.set(ValueLayout.JAVA_LONG, at, STAMP);
    }
    supply.giveBack(page, 0);
  }

  private static MemorySegment segment(PageMemory page) {
    return NativeMemory.segment(page.address, page.sizeBytes);
  }

  private static void verify(PageSupply... all) {
    for (PageSupply supply : all) {
      supply.verify();
    }
  }
}
