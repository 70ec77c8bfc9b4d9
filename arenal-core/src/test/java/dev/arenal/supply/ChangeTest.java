package dev.arenal.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.supply.Claims.Use;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claimed memory is settled, whatever happens; memory that stays claimed is damage. */
final class ChangeTest {
  private static final class Lock extends StackSafeLock {
    private static final long serialVersionUID = 1;
    private boolean failsToUnlock;

    @Override
    public void unlock() {
      super.unlock();
      if (failsToUnlock) {
        failsToUnlock = false;
        throw new StackOverflowError("test: unlock");
      }
    }
  }

  private final Lock lock = new Lock();
  private final Damage damage = new Damage("space", "s");
  private final Claims claims = new Claims(lock, damage);
  private final List<String> steps = new ArrayList<>();

  /** A change whose steps are noted, one of which may fail. */
  private class Steps extends Change {
    private final String failing;
    boolean isAny = true;
    boolean isHeapFull;

    Steps(@Nullable Use use, String failing) {
      super(claims, use);
      this.failing = failing;
    }

    Steps(String failing) {
      this(Use.DISCARD, failing);
    }

    private void note(String step, boolean isLocked, int claimedCount) {
      assertThat(lock.isHeldByCurrentThread()).as(step).isEqualTo(isLocked);
      assertThat(claims.count(Use.DISCARD)).as(step).isEqualTo(claimedCount);
      steps.add(step);
      if (failing.equals(step)) {
        throw isHeapFull
            ? new OutOfMemoryError("test: " + step)
            : new StackOverflowError("test: " + step);
      }
    }

    @Override
    protected boolean claim() {
      note("claim", true, 0);
      return isAny;
    }

    @Override
    protected void call() {
      note("call", false, 1);
    }

    @Override
    protected void settle() {
      note("settle", true, 1);
    }
  }

  @AfterEach
  void nothingIsClaimed_andTheLockIsFree() {
    assertThat(lock.isLocked()).isFalse();
  }

  @Test
  void perform_claims_calls_andSettles() {
    assertThat(new Steps("").perform()).isTrue();
    assertThat(steps).containsExactly("claim", "call", "settle");
    assertThat(claims.settledCountRacy()).isEqualTo(1);
    assertIntact();
  }

  @Test
  void nothingToClaim_endsIt() {
    Steps change = new Steps("");
    change.isAny = false;
    assertThat(change.perform()).isFalse();
    assertThat(steps).containsExactly("claim");
    assertThat(claims.settledCountRacy()).isZero();
    assertIntact();
  }

  @Test
  void fullHeapInTheClaim_changesNothing() {
    Steps change = new Steps("claim");
    change.isHeapFull = true;
    assertThatThrownBy(change::perform).hasMessage("test: claim");
    assertThat(steps).containsExactly("claim");
    assertIntact();
  }

  @Test
  void fullHeapInTheCall_isSettled() {
    Steps change = new Steps("call");
    change.isHeapFull = true;
    assertThatThrownBy(change::perform).hasMessage("test: call");
    assertThat(steps).containsExactly("claim", "call", "settle");
    assertIntact();
  }

  @Test
  void errorOfTheClaim_isDamage() {
    assertThatThrownBy(new Steps("claim")::perform).hasMessage("test: claim");
    assertThat(damage.cause).hasMessage("test: claim");
    assertThat(claims.count(Use.DISCARD)).isZero();
  }

  /** The kernel may have been called, and the books do not know. */
  @Test
  void errorOfTheCall_isSettled_andDamageBeforeThat() {
    Steps change =
        new Steps("call") {
          @Override
          protected void settle() {
            assertThat(damage.isNoted()).isTrue();
            super.settle();
          }
        };
    assertThatThrownBy(change::perform).hasMessage("test: call");
    assertThat(steps).containsExactly("claim", "call", "settle");
    assertThat(damage.cause).hasMessage("test: call");
    assertThat(claims.count(Use.DISCARD)).isZero();
  }

  @Test
  void errorOfTheSettlement_isDamage() {
    assertThatThrownBy(new Steps("settle")::perform).hasMessage("test: settle");
    assertThat(claims.count(Use.DISCARD)).isZero();
    assertThat(damage.cause).hasMessage("test: settle");
  }

  @Test
  void claimThatIsNotCarriedOn_isDamage() {
    lock.failsToUnlock = true;
    assertThatThrownBy(new Steps("")::perform).hasMessage("test: unlock");
    assertThat(steps).containsExactly("claim");
    assertThat(damage.cause).hasMessage("test: unlock");
    assertThat(claims.count(Use.DISCARD)).isEqualTo(1);
  }

  @Test
  void undo_isNotCounted() {
    Change undo =
        new Change(claims, null) {
          @Override
          protected boolean claim() {
            return true;
          }

          @Override
          protected void call() {
            assertThat(claims.count(Use.DISCARD)).isZero();
            steps.add("call");
          }

          @Override
          protected void settle() {
            steps.add("settle");
          }
        };
    assertThat(undo.perform()).isTrue();
    assertThat(steps).containsExactly("call", "settle");
    assertThat(claims.settledCountRacy()).isZero();
    assertIntact();
  }

  @Test
  void claimedByAThreadThatHasTheLock_isCompletedWithoutIt() {
    Steps change = new Steps("");
    lock.lock();
    try {
      assertThat(change.claimNow()).isTrue();
    } finally {
      lock.unlock();
    }
    change.complete();
    assertThat(steps).containsExactly("claim", "call", "settle");
    assertIntact();
  }

  private void assertIntact() {
    assertThat(damage.isNoted()).isFalse();
    assertThat(claims.count(Use.DISCARD)).isZero();
  }
}
