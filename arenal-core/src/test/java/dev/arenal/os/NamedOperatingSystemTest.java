package dev.arenal.os;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mappings carry the name of their owner, and cost no more of them than without. */
final class NamedOperatingSystemTest {
  private static final String NAME = "arenal: tenants";
  private static final int PAGE_COUNT = 64;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final long pageBytes = os.pageSizeBytes();
  private final long sizeBytes = PAGE_COUNT * pageBytes;

  @AfterEach
  void nothingIsLeft() {
    os.assertNoComplaints();
    os.assertNothingMapped();
  }

  @Test
  void kernelThatCannot_isNotAsked() {
    OperatingSystem own = os.named("tenants");
    assertThat(own).isSameAs(os);
    churn(own, 1);
    assertThat(os.callCount(Call.NAME)).isZero();
  }

  @Test
  void ownersOfAKernel_haveItInCommon() {
    os.setCanName(true);
    OperatingSystem own = os.named("tenants");
    assertThat(own).isNotSameAs(os);
    assertThat(own.kernel()).isSameAs(os.named("others").kernel()).isSameAs(os);
    assertThat(own.named("others").kernel()).isSameAs(os);
    assertThat(os.kernel()).isSameAs(os);
  }

  /** A range that is mapped afresh has no name, and would not be joined with its neighbours. */
  @Test
  void namedRanges_areJoined_asThoseWithoutNames() {
    int[] unnamed = churn(os, 2);
    os.setCanName(true);
    assertThat(churn(os.named("tenants"), 2)).isEqualTo(unnamed);
    assertThat(os.callCount(Call.NAME))
        .as("with each range that is mapped")
        .isEqualTo(os.callCount(Call.REVOKE) / 2 + 1);
  }

  @Test
  void refusedName_changesNothingElse() {
    os.setCanName(true);
    os.failAlways(Call.NAME, Errno.ENOMEM);
    int[] _ = churn(os.named("tenants"), 3);
    assertThat(os.failureCount()).isEqualTo(os.callCount(Call.NAME)).isGreaterThan(100);
  }

  @Test
  void movedMemory_getsTheNameOfItsNewOwner() {
    os.setCanName(true);
    OperatingSystem first = os.named("first");
    OperatingSystem second = os.named("second");
    long from = first.reserve(sizeBytes, true);
    long to = second.reserve(sizeBytes, true);
    first.touch(from, sizeBytes);
    assertThat(os.names()).containsExactly("arenal: first", "arenal: second");
    assertThat(second.move(from, sizeBytes, to)).isZero();
    assertThat(first.release(from, sizeBytes)).isZero();
    assertThat(os.names()).containsExactly("arenal: second");
    assertThat(second.release(to, sizeBytes)).isZero();
  }

  @Test
  void refusedMove_thatMappedItsTargetAfresh_namesIt() {
    os.setCanName(true);
    OperatingSystem own = os.named("tenants");
    long from = own.reserve(sizeBytes, true);
    long to = own.reserve(sizeBytes, true);
    os.failMovesAfterUnmap(Errno.ENOMEM, false);
    assertThat(own.move(from, pageBytes, to)).isEqualTo(-Errno.ENOMEM);
    assertThat(os.names()).containsExactly(NAME);
    assertThat(own.release(from, sizeBytes)).isZero();
    assertThat(own.release(to, sizeBytes)).isZero();
  }

  /** Another mapping may be there now, whose owner has a name for it. */
  @Test
  void lostTarget_isNotNamed() {
    os.setCanName(true);
    OperatingSystem own = os.named("tenants");
    long from = own.reserve(sizeBytes, true);
    long to = own.reserve(sizeBytes, true);
    int before = os.callCount(Call.NAME);
    os.failAlways(Call.MOVE, Errno.ENOTRECOVERABLE);
    assertThat(own.move(from, pageBytes, to)).isEqualTo(-Errno.ENOTRECOVERABLE);
    assertThat(os.callCount(Call.NAME)).isEqualTo(before);
    assertThat(os.unmapWhatIsLeft()).isEqualTo(2);
  }

  /** Granules of a strict space, drawn; how many mappings there were after each step. */
  private int[] churn(OperatingSystem own, long seed) {
    long address = own.reserve(sizeBytes, false);
    SplittableRandom random = new SplittableRandom(seed);
    boolean[] isAccessible = new boolean[PAGE_COUNT];
    int[] counts = new int[400];
    for (int step = 0; step < counts.length; step++) {
      int page = random.nextInt(PAGE_COUNT);
      int error =
          isAccessible[page]
              ? own.revoke(address + page * pageBytes, pageBytes)
              : own.allow(address + page * pageBytes, pageBytes);
      assertThat(error).isZero();
      isAccessible[page] = !isAccessible[page];
      counts[step] = os.joinedMappingCount();
    }
    assertThat(own.release(address, sizeBytes)).isZero();
    return counts;
  }
}
