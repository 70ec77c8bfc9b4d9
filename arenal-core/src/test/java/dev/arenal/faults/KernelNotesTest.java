package dev.arenal.faults;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.os.OperatingSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a rewritten library may ask of the kernel. The real one is asked. */
final class KernelNotesTest {
  private static final long PAGES = 1 << 16;

  @Test
  void ownAddresses_inWhateverPieces_areFree() {
    assertThatNoException()
        .isThrownBy(() -> FaultSweep.everyPlace(OfItsOwn.class, Fault.GROWTH, 1));
  }

  @Test
  void addressesOnBothSidesOfWhatIsGone_areRefused() {
    assertRefused(AcrossAHole.class, "madvise");
    assertRefused(GoneInPieces.class, "munmap");
    assertRefused(AcrossAHoleInAList.class, "process_madvise|madvise");
  }

  @Test
  void addressesOfAnotherLoader_areRefused() {
    long address = OperatingSystem.current().reserve(PAGES, true);
    System.setProperty("arenal.test.address", Long.toString(address));
    try {
      assertRefused(OfAnother.class, "mprotect");
    } finally {
      System.clearProperty("arenal.test.address");
      var _ = OperatingSystem.current().release(address, PAGES);
    }
  }

  private static void assertRefused(Class<? extends FaultProgram> program, String calls) {
    assertThatThrownBy(() -> FaultSweep.everyPlace(program, Fault.GROWTH, 1))
        .rootCause()
        .hasMessageMatching(
            "call to the kernel about memory of another owner: call=("
                + calls
                + "), address=0x[0-9a-f]+, sizeBytes=\\d+, loader=\\d+, thread=[^ ]+ \\(expected"
                + " addresses that this loader's library has mapped\\)");
  }

  /** Loaded where the library is. */
  abstract static class Calls implements FaultProgram {
    final OperatingSystem os = OperatingSystem.current();

    @Override
    public final void prepare() {}

    @Override
    public final void operate() {
      call(os.pageSizeBytes());
    }

    abstract void call(long pageBytes);

    @Override
    public final void check(@Nullable Throwable thrown) {
      if (thrown != null) {
        throw new AssertionError(thrown);
      }
    }
  }

  /** Three pieces after a revoke, and released as one. */
  public static final class OfItsOwn extends Calls {
    /** For the sweep. */
    public OfItsOwn() {}

    @Override
    void call(long pageBytes) {
      long address = os.reserve(PAGES, false);
      requireZero(os.allow(address, PAGES));
      requireZero(os.revoke(address + pageBytes, pageBytes));
      requireZero(os.allow(address, PAGES));
      requireZero(os.release(address, PAGES));
      long again = os.reserve(PAGES, true);
      requireZero(
          os.discard(
              new long[] {again, again + 2 * pageBytes}, new long[] {pageBytes, pageBytes}, 2));
      requireZero(os.release(again, PAGES));
    }
  }

  /** Three pages of which the second one is gone. */
  abstract static class WithAHole extends Calls {
    @Override
    final void call(long pageBytes) {
      long address = os.reserve(3 * pageBytes, true);
      requireZero(os.release(address + pageBytes, pageBytes));
      try {
        discard(address, pageBytes);
      } finally {
        requireZero(os.release(address, pageBytes));
        requireZero(os.release(address + 2 * pageBytes, pageBytes));
      }
    }

    abstract void discard(long address, long pageBytes);
  }

  /** Advice about all three. */
  public static final class AcrossAHole extends WithAHole {
    /** For the sweep. */
    public AcrossAHole() {}

    @Override
    void discard(long address, long pageBytes) {
      var _ = os.discard(new long[] {address}, new long[] {3 * pageBytes}, 1);
    }
  }

  /** As a list of ranges. */
  public static final class AcrossAHoleInAList extends WithAHole {
    /** For the sweep. */
    public AcrossAHoleInAList() {}

    @Override
    void discard(long address, long pageBytes) {
      long[] sizesBytes = {pageBytes, pageBytes};
      var _ = os.discard(new long[] {address, address + pageBytes}, sizesBytes, 2);
    }
  }

  /** The middle of three pieces that were released at once. */
  public static final class GoneInPieces extends Calls {
    /** For the sweep. */
    public GoneInPieces() {}

    @Override
    void call(long pageBytes) {
      long address = os.reserve(PAGES, false);
      requireZero(os.allow(address, PAGES));
      requireZero(os.revoke(address + pageBytes, pageBytes));
      requireZero(os.release(address, PAGES));
      var _ = os.release(address, pageBytes);
    }
  }

  /** What the library of the test has mapped. */
  public static final class OfAnother extends Calls {
    /** For the sweep. */
    public OfAnother() {}

    @Override
    void call(long pageBytes) {
      var _ = os.allow(Long.getLong("arenal.test.address"), pageBytes);
    }
  }

  private static void requireZero(int result) {
    if (result != 0) {
      throw new AssertionError("expected 0: result=" + result);
    }
  }
}
