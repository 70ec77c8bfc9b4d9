package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.Seeds;
import dev.arenal.reserve.Reservation;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drawn changes of granules, against an array with the state of each. */
final class GranuleStatesTest {
  private static final long GRANULE_BYTES = PageSupply.GRANULE_BYTES;
  private static final int CAPACITY = 16;

  private enum State {
    /** The number between two reservations. */
    NOTHING,
    FREE,
    CACHED,
    USED,
    TOUCHED,
    TO_DISCARD
  }

  @RegisterExtension private final Supplies supplies = new Supplies();
  private PageAddresses addresses;
  private GranuleStates states;
  private State[] model;

  @BeforeEach
  void fourReservations() {
    supplies.capacityBytes = CAPACITY * GRANULE_BYTES;
    supplies.largestReservationBytes = 16 * GRANULE_BYTES;
    addresses = PageAddresses.reserve(supplies.settings(supplies.os));
    assertThat(addresses.pieceCount()).isEqualTo(4);
    states = new GranuleStates(addresses, CAPACITY);
    model = new State[addresses.granuleCount()];
    Arrays.fill(model, State.NOTHING);
    for (int i = 0; i < 4; i++) {
      int first = addresses.firstOfPiece(i);
      Arrays.fill(model, first, first + addresses.countOfPiece(i), State.FREE);
    }
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(addresses.release()).isZero();
    assertThat(supplies.budget.committedBytes()).isZero();
  }

  @Test
  void allIsFreeAtFirst_inRangesThatSpanNoTwoReservations() {
    states.verify();
    assertThat(states.free.totalGranules()).isEqualTo(64);
    assertThat(states.available.totalGranules()).isEqualTo(64);
    assertThat(states.free.longest()).isEqualTo(16);
    assertThat(states.roomGranules()).isEqualTo(CAPACITY);
    compare();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void drawnSteps_agreeWithTheModel(int number) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("GranuleStates", number));
    for (int round = 0; round < 1500; round++) {
      int from = random.nextInt(model.length);
      int most = 1;
      while (from + most < model.length && model[from + most] == model[from]) {
        most++;
      }
      step(from, 1 + random.nextInt(Math.min(most, 8)), random);
      states.verify();
      compare();
    }
    for (int granule = 0; granule < model.length; granule++) { // back to the beginning
      if (model[granule] != State.NOTHING && model[granule] != State.FREE) {
        claim(granule, 1);
        uncommit(granule, 0, GRANULE_BYTES);
        states.putFree(granule, 1);
      }
    }
    states.verify();
    assertThat(states.free.totalGranules()).isEqualTo(64);
  }

  private void step(int from, int count, SplittableRandom random) {
    switch (model[from]) {
      case NOTHING -> {}
      case FREE -> {
        int taken = Math.min(count, states.roomGranules());
        if (taken > 0) {
          use(from, taken);
        }
      }
      case USED -> {
        if (random.nextInt(3) == 0) {
          addresses.markDirty(from, count);
          assertDirtWhereItIsCommitted(from, count);
        }
        if (random.nextInt(3) == 0) {
          uncommitSome(from, count, random);
        }
        states.usedGranules -= count;
        states.putBack(from, count, 1);
        noteByMemory(from, from + count);
      }
      case CACHED -> cached(from, count, random);
      case TOUCHED -> {
        states.putTouched(from, count);
        Arrays.fill(model, from, from + count, State.CACHED);
      }
      case TO_DISCARD -> { // it goes at last
        claim(from, count);
        uncommit(from, 0, count * GRANULE_BYTES);
        states.putFree(from, count);
        Arrays.fill(model, from, from + count, State.FREE);
      }
    }
  }

  private void cached(int from, int count, SplittableRandom random) {
    switch (random.nextInt(3)) {
      case 0 -> {
        states.claimTouched(from, count);
        Arrays.fill(model, from, from + count, State.TOUCHED);
      }
      case 1 -> { // the page takes it as it is
        states.claimCached(from, count);
        states.usedGranules += count;
        Arrays.fill(model, from, from + count, State.USED);
      }
      default -> { // the kernel refuses to take it, after some of it; others have grown meanwhile
        states.claimCached(from, count);
        states.claimedGranules += count;
        uncommitSome(from, count, random);
        int free = states.free.lowest(1);
        int taken = Math.min(random.nextInt(6), states.roomGranules());
        taken = free < 0 ? 0 : Math.min(taken, states.free.lengthAt(free));
        if (taken > 0) {
          use(free, taken);
        }
        int room = Math.min(count, states.roomGranules());
        states.claimedGranules -= count;
        states.putBackRefused(from, count);
        noteByMemory(from, from + room);
        noteByMemory(from + room, from + count);
        for (int i = from + room; i < from + count; i++) {
          model[i] = model[i] == State.FREE ? State.FREE : State.TO_DISCARD;
        }
      }
    }
  }

  private void use(int from, int count) {
    states.prepare(from, count);
    states.claimFree(from, count);
    assertThat(addresses.tryCount(count * GRANULE_BYTES)).isTrue();
    addresses.noteCommitted(from, count);
    states.usedGranules += count;
    Arrays.fill(model, from, from + count, State.USED);
  }

  /** Takes granules out of whatever they are in. */
  private void claim(int from, int count) {
    switch (model[from]) {
      case USED -> states.usedGranules -= count;
      case CACHED -> states.claimCached(from, count);
      case TOUCHED -> {
        states.putTouched(from, count);
        states.claimCached(from, count);
      }
      case TO_DISCARD -> states.toDiscard.remove(from, count);
      default -> throw new AssertionError("without an owner: " + model[from]);
    }
  }

  private void uncommitSome(int from, int count, SplittableRandom random) {
    for (int granule = from; granule < from + count; granule++) {
      switch (random.nextInt(4)) {
        case 0 -> uncommit(granule, 0, GRANULE_BYTES);
        case 1 -> uncommit(granule, MIB / 2, MIB); // a part of it only
        default -> {}
      }
    }
  }

  private void uncommit(int granule, long offsetBytes, long sizeBytes) {
    long address = addresses.address(granule);
    Reservation reservation = addresses.reservationOf(address);
    long start = address - reservation.baseAddress() + offsetBytes;
    var _ = reservation.uncommitted(start, sizeBytes);
  }

  /** Cached is what is committed as a whole, free what is not at all, and the rest must go. */
  private void noteByMemory(int from, int to) {
    for (int granule = from; granule < to; granule++) {
      long committedBytes = addresses.committedBytes(granule, 1);
      model[granule] =
          committedBytes == 0
              ? State.FREE
              : committedBytes == GRANULE_BYTES ? State.CACHED : State.TO_DISCARD;
    }
  }

  /** A granule without memory reads as zero when it has some again, and must not be dirty. */
  private void assertDirtWhereItIsCommitted(int from, int count) {
    for (int granule = from; granule < from + count; granule++) {
      assertThat(addresses.isDirty(granule, 1))
          .as(Seeds.hint())
          .isEqualTo(addresses.committedBytes(granule, 1) > 0);
    }
  }

  @Test
  void dirt_isNotedWhereThereIsMemory() {
    use(3, 4);
    uncommit(4, 0, GRANULE_BYTES);
    uncommit(5, 0, MIB);
    addresses.markDirty(3, 4);
    assertDirtWhereItIsCommitted(3, 4);
    assertThat(addresses.isDirty(2, 1)).isFalse();
    assertThat(addresses.isDirty(7, 1)).isFalse();
    states.usedGranules -= 4;
    states.putBack(3, 4, 0);
    states.verify();
    assertThat(states.cachedGranules()).isEqualTo(2);
    assertThat(states.toDiscard.lengthAt(5)).isEqualTo(1);
    assertThat(states.free.contains(4)).isTrue();
  }

  @Test
  void excludedGranules_areInNoSet() {
    states.prepare(8, 2);
    states.claimFree(8, 2);
    states.excludedGranules += 2; // the kernel knows nothing of it, so their addresses are not
    states.verify();
    assertThat(states)
        .hasToString(
            "freeGranules=62, cachedGranules=0, toDiscardGranules=0, usedGranules=0,"
                + " claimedGranules=0, pretouchGranules=0, excludedGranules=2");
  }

  /**
   * The books of 32 GiB are in sections, of which only the first and the last are there at first.
   */
  @Test
  void largeSupply_makesItsBooksWhereTheyAreNeeded() {
    supplies.capacityBytes = 8192 * MIB;
    supplies.largestReservationBytes = Long.MAX_VALUE;
    PageAddresses large = PageAddresses.reserve(supplies.settings(supplies.os));
    try {
      GranuleStates wide = new GranuleStates(large, 4096);
      assertThat(wide.free.longest()).isEqualTo(16_384);
      wide.verify();
      for (int from : new int[] {5000, 8190, 12_000, 16_383}) {
        wide.prepare(from, 1);
        wide.claimFree(from, 1);
        wide.usedGranules++;
        wide.verify();
        wide.putFree(from, 1);
        wide.usedGranules--;
      }
      wide.verify();
      assertThat(wide.free.longest()).isEqualTo(16_384);
    } finally {
      assertThat(large.release()).isZero();
    }
  }

  /** INV-SUPPLY-1 to 4. */
  @Test
  void verify_tellsWhatIsWrong() {
    use(0, 2);
    states.usedGranules++;
    assertWrong("granules are missing or counted twice: at=65");
    states.usedGranules = 17;
    assertWrong("used and cached exceed the capacity: at=1");
    states.usedGranules = 2;
    states.verify();
    states.free.remove(10, 1);
    states.claimedGranules++;
    assertWrong("available differs from free and cached: at=61");
    states.available.remove(10, 1);
    states.verify();
    states.available.remove(12, 1);
    states.available.add(10, 1);
    assertWrong("free or cached, but not available: at=11");
    states.available.remove(10, 1);
    states.available.add(12, 1);
    states.toDiscard.prepare(12, 1);
    states.toDiscard.add(12, 1);
    states.claimedGranules = 0;
    assertWrong("free or cached, and to be discarded: at=11");
    states.toDiscard.remove(12, 1);
    states.putFree(10, 1);
    states.verify();
    addresses.prepare(20, 1);
    assertThat(addresses.tryCount(GRANULE_BYTES)).isTrue();
    addresses.noteCommitted(20, 1);
    assertWrong("committed bytes differ: at=17");
    uncommit(20, 0, GRANULE_BYTES);
    states.verify();
    states.free.prepare(16, 1); // the number between two reservations
    states.free.add(16, 1);
    assertWrong("range spans reservations: at=2");
    states.free.remove(16, 1);
    states.usedGranules = 0;
    states.putCached(0, 2, 0);
    states.verify();
    uncommit(1, 0, 4096);
    assertWrong("committed bytes differ: at=0");
  }

  private void assertWrong(String what) {
    assertThatThrownBy(() -> states.verify())
        .isInstanceOf(AssertionError.class)
        .hasMessage("granules of pages: " + what);
  }

  private void compare() {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    for (int granule = 0; granule < model.length; granule++) {
      State state = model[granule];
      counts.merge(state, 1, Integer::sum);
      boolean isFree = state == State.FREE;
      boolean isCached = state == State.CACHED;
      assertThat(states.free.contains(granule)).as(Seeds.hint()).isEqualTo(isFree);
      assertThat(states.cache.contains(granule)).as(Seeds.hint()).isEqualTo(isCached);
      assertThat(states.available.contains(granule)).as(Seeds.hint()).isEqualTo(isFree || isCached);
      assertThat(states.toDiscard.contains(granule)).isEqualTo(state == State.TO_DISCARD);
    }
    assertThat(states.usedGranules).isEqualTo(counts.getOrDefault(State.USED, 0));
    assertThat(states.pretouchGranules).isEqualTo(counts.getOrDefault(State.TOUCHED, 0));
    assertThat(states.touchedCachedGranules).isEqualTo(counts.getOrDefault(State.TOUCHED, 0));
    int cached = counts.getOrDefault(State.CACHED, 0);
    assertThat(states.cachedGranules()).isEqualTo(cached + states.pretouchGranules);
    assertThat(states.roomGranules())
        .isEqualTo(CAPACITY - states.usedGranules - states.pretouchGranules - cached);
  }
}
