package dev.arenal.os;

/** Huge pages of x86-64 and of AArch64 with OS pages of 4 KiB. */
public final class HugePages {
  /** Size of a huge page, to which it is aligned. */
  public static final long SIZE_BYTES = 2 << 20;

  private HugePages() {}

  /** The first address from there on at which a huge page may begin. */
  public static long alignUp(long address) {
    return (address + SIZE_BYTES - 1) & -SIZE_BYTES;
  }

  /** The last address up to there at which a huge page may begin, or end. */
  public static long alignDown(long address) {
    return address & -SIZE_BYTES;
  }

  /**
   * Asks for huge pages, or for small ones, in the part of a range that huge pages fit into. It is
   * a hint: a refusal of the kernel has no effect.
   */
  public static void adviseWithin(
      OperatingSystem os, long address, long sizeBytes, boolean wantsHuge) {
    long from = alignUp(address);
    long to = alignDown(address + sizeBytes);
    if (from < to) {
      var _ = os.adviseHuge(from, to - from, wantsHuge);
    }
  }
}
