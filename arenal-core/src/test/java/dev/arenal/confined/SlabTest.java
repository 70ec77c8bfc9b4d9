package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.os.OperatingSystem;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of a slab, and that misuse is refused before anything has changed. */
final class SlabTest {
  private static final long KEY = 77;
  private static final int SLAB_BYTES = Pool.SLAB_BYTES;

  private final Slab slab = new Slab();

  @AfterEach
  void free() {
    if (slab.get() < 0) {
      slab.set(KEY);
    }
    slab.free();
  }

  @Test
  void empty_hasNeitherMemoryNorOwner() {
    assertThat(slab.get()).isZero();
    assertThat(slab.hasMemory()).isFalse();
    assertThat(slab.isAvailable()).isFalse();
    assertThat(slab.isAvailablePlain(KEY)).isFalse();
    assertThat(slab.tryAcquireVolatile()).isFalse();
    slab.free();
    assertThat(slab.get()).isZero();
  }

  @Test
  void allocate_givesZeroedMemoryToTheOneWhoAsked() {
    slab.allocate(SLAB_BYTES, KEY);
    assertThat(slab.get()).isEqualTo(-KEY);
    assertThat(slab.key).isEqualTo(KEY);
    assertThat(slab.hasMemory()).isTrue();
    assertThat(slab.isAvailable()).isFalse();
    assertThat(slab.isAvailablePlain(KEY)).isFalse();
    assertThat(slab.address % 64).isZero();
    assertThat(Slabs.mismatchZero(slab)).isEqualTo(-1);
  }

  @Test
  void allocate_withoutMemory_changesNothing() {
    assertThatThrownBy(() -> slab.allocate(1L << 50, KEY)).isInstanceOf(OutOfMemoryError.class);
    assertThat(slab.get()).isZero();
    assertThat(slab.hasMemory()).isFalse();
    slab.allocate(SLAB_BYTES, KEY);
    assertThat(slab.key).isEqualTo(KEY);
  }

  @Test
  void ofAThread_goesFromAvailableToAcquiredAndBack() {
    available();
    assertThat(slab.get()).isEqualTo(KEY);
    assertThat(slab.isAvailable()).isTrue();
    assertThat(slab.isAvailablePlain(KEY)).isTrue();
    assertThat(slab.isAvailablePlain(KEY + 1)).isFalse();
    assertThat(slab.tryAcquireVolatile()).isFalse(); // not for all
    slab.acquirePlain(KEY);
    assertThat(slab.get()).isEqualTo(-KEY);
    assertThat(slab.isAvailable()).isFalse();
  }

  @Test
  void slot_isClaimedOnceAndThenTakenByAnyThread() {
    assertThat(slab.tryClaimVolatile()).isTrue();
    assertThat(slab.tryClaimVolatile()).isFalse();
    assertThat(slab.tryAcquireVolatile()).isFalse();
    slab.allocate(SLAB_BYTES, Slab.AVAILABLE_TO_ALL);
    assertThat(slab.tryAcquireVolatile()).isFalse();
    slab.release(slab.address, slab.address + 16, slab.key);
    assertThat(slab.tryClaimVolatile()).isFalse();
    assertThat(slab.tryAcquireVolatile()).isTrue();
    assertThat(slab.tryAcquireVolatile()).isFalse();
    assertThat(slab.get()).isEqualTo(-Slab.AVAILABLE_TO_ALL);
  }

  @Test
  void slot_whoseClaimIsPutBack_canBeClaimedAgain() {
    assertThat(slab.tryClaimVolatile()).isTrue();
    slab.unclaim();
    assertThat(slab.get()).isZero();
    assertThat(slab.tryClaimVolatile()).isTrue();
    slab.unclaim();
  }

  @Test
  void release_zeroesWhatWasUsed_forEverySize() {
    slab.allocate(SLAB_BYTES, KEY);
    MemorySegment memory = Slabs.memory(slab);
    for (int usedBytes = 0; usedBytes <= SLAB_BYTES; usedBytes += PooledArena.BLOCK_BYTES) {
      var _ = memory.asSlice(0, usedBytes).fill((byte) 0xff);
      slab.release(slab.address, slab.address + usedBytes, KEY);
      assertThat(Slabs.mismatchZero(slab)).as("usedBytes=%d", usedBytes).isEqualTo(-1);
      slab.acquirePlain(KEY);
    }
  }

  /** Costs follow what was used: what lies a line or more behind it is not touched. */
  @Test
  void release_leavesTheRestAlone() {
    slab.allocate(SLAB_BYTES, KEY);
    MemorySegment memory = Slabs.memory(slab);
    for (int usedBytes = 0; usedBytes <= 1024; usedBytes += PooledArena.BLOCK_BYTES) {
      var _ = memory.fill((byte) 0xff);
      slab.release(slab.address, slab.address + usedBytes, KEY);
      long behind = Math.max(usedBytes, 64);
      assertThat(CheckedArena.firstOther(memory, behind, SLAB_BYTES, (byte) 0xff))
          .as("usedBytes=%d", usedBytes)
          .isEqualTo(-1);
      slab.acquirePlain(KEY);
    }
  }

  // ---- misuse ----

  @Test
  void release_withoutAcquire_isRefused() {
    available();
    assertRefused(KEY, KEY, 16);
  }

  @Test
  void release_withTheNegativeState_isRefused() {
    available();
    assertRefused(KEY, -slab.get(), 16);
  }

  @Test
  void release_twice_isRefused() {
    slab.allocate(SLAB_BYTES, KEY);
    slab.release(slab.address, slab.address + 16, KEY);
    assertRefused(KEY, KEY, 16);
  }

  @ParameterizedTest
  @ValueSource(longs = {KEY + 1, -KEY, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE})
  void release_withAForeignKey_isRefused(long key) {
    slab.allocate(SLAB_BYTES, KEY);
    assertRefused(-KEY, key, 16);
    slab.release(slab.address, slab.address + SLAB_BYTES, KEY);
    assertThat(Slabs.mismatchZero(slab)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, -16, Long.MIN_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE})
  void release_ofAnIllegalSize_isRefused(long usedBytes) {
    slab.allocate(SLAB_BYTES, KEY);
    assertRefused(-KEY, KEY, usedBytes);
  }

  @Test
  void release_ofMoreThanTheSlab_isRefused() {
    slab.allocate(SLAB_BYTES, KEY);
    assertRefused(-KEY, KEY, SLAB_BYTES + 1L);
    assertRefused(-KEY, KEY, SLAB_BYTES + 16L);
  }

  @Test
  void release_ofASlabWithoutMemory_isRefused() {
    assertThatThrownBy(() -> slab.release(0, 0, slab.key))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(misuse("release", 0, 0, 0));
    assertThatThrownBy(() -> slab.release(0, 0, KEY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(misuse("release", 0, KEY, 0));
  }

  // ---- adoption and end ----

  @Test
  void adopt_givesAnAvailableSlabToAnotherThread() {
    available();
    slab.adoptPlain(KEY + 5);
    assertThat(slab.isAvailablePlain(KEY)).isFalse();
    assertThat(slab.isAvailablePlain(KEY + 5)).isTrue();
  }

  @Test
  void adopt_ofASlabThatIsAcquiredOrEmpty_isRefused() {
    assertThatThrownBy(() -> slab.adoptPlain(5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(misuse("adopt", 0, 5, 0));
    slab.allocate(SLAB_BYTES, KEY);
    assertThatThrownBy(() -> slab.adoptPlain(KEY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(misuse("adopt", -KEY, KEY, 0));
    assertThat(slab.get()).isEqualTo(-KEY);
  }

  @Test
  void free_givesAvailableMemoryBack_butNotThatOfAnArena() {
    slab.allocate(SLAB_BYTES, KEY);
    long address = slab.address;
    slab.free();
    assertThat(slab.get()).isEqualTo(-KEY);
    assertThat(slab.address).isEqualTo(address);
    assertThat(slab.hasMemory()).isTrue();
    slab.release(address, address, KEY);
    slab.free();
    assertThat(slab.get()).isZero();
    assertThat(slab.hasMemory()).isFalse();
    slab.free(); // nothing more to do
    slab.allocate(SLAB_BYTES, KEY); // as new
    assertThat(slab.key).isEqualTo(KEY);
  }

  /** Stack or heap may end between the two steps of an allocation. */
  @Test
  void free_givesMemoryBackThatHasNotBeenAcquired() {
    slab.allocate(SLAB_BYTES, KEY);
    long address = slab.address;
    slab.set(0);
    slab.allocate(SLAB_BYTES, KEY); // takes what is there
    assertThat(slab.address).isEqualTo(address);
    slab.set(0);
    slab.free();
    assertThat(slab.hasMemory()).isFalse();
    assertThat(slab.address).isZero();
  }

  /** So large that the C library maps it and unmaps it at once. */
  @Test
  void free_givesMemoryBackToTheSystem() {
    OperatingSystem os = OperatingSystem.current();
    long sizeBytes = 64 << 20;
    slab.allocate(sizeBytes, KEY);
    long firstPage = (slab.address + os.pageSizeBytes() - 1) & -os.pageSizeBytes();
    long wholeBytes = sizeBytes - os.pageSizeBytes();
    assertThat(os.absentBytes(firstPage, wholeBytes)).isZero();
    slab.release(slab.address, slab.address, KEY);
    slab.free();
    assertThat(os.absentBytes(firstPage, wholeBytes)).as("mapped and resident").isNotZero();
  }

  private void available() {
    slab.allocate(SLAB_BYTES, KEY);
    slab.release(slab.address, slab.address, KEY);
  }

  /** Neither the state nor a byte of the memory changes. */
  private void assertRefused(long state, long key, long usedBytes) {
    var _ = Slabs.memory(slab).fill((byte) 0x5a);
    long address = slab.address;
    assertThatThrownBy(() -> slab.release(address, address + usedBytes, key))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(misuse("release", state, key, usedBytes));
    assertThat(slab.get()).isEqualTo(state);
    assertThat(CheckedArena.firstOther(Slabs.memory(slab), 0, SLAB_BYTES, (byte) 0x5a))
        .isEqualTo(-1);
  }

  private static String misuse(String what, long state, long key, long usedBytes) {
    return "slab misused: operation="
        + what
        + ", state="
        + state
        + ", key="
        + key
        + ", usedBytes="
        + usedBytes
        + "; expected state=-key for a release, state=key for an adoption, and usedBytes from 0 to "
        + SLAB_BYTES;
  }
}
