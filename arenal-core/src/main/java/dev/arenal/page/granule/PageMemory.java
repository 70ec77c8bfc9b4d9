package dev.arenal.page.granule;

/** Memory for a page: a range of addresses in whole granules, committed when it was taken. */
public final class PageMemory {
  public final long address;
  public final long sizeBytes;
  public final PageKind kind;

  /** The position in the address space of the supply. */
  public final int firstGranule;

  final int granuleCount;

  /** The heap that took it. */
  final int owner;

  /** Whether all bytes were known to be zero when it was taken; not changed after that. */
  public boolean isZero;

  /** Guarded by the lock of the supply. */
  boolean isTaken;

  public PageMemory(PageKind kind, long address, int firstGranule, int granuleCount, int owner) {
    this.kind = kind;
    this.address = address;
    this.sizeBytes = granuleCount * PageSupply.GRANULE_BYTES;
    this.firstGranule = firstGranule;
    this.granuleCount = granuleCount;
    this.owner = owner;
  }

  @Override
  public String toString() {
    return "PageMemory[kind="
        + kind
        + ", address=0x"
        + Long.toHexString(address)
        + ", sizeBytes="
        + sizeBytes
        + ", owner="
        + owner
        + "]";
  }
}
