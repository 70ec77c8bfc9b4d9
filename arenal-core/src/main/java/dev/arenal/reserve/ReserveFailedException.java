package dev.arenal.reserve;

/** The kernel refused to reserve address space. */
public final class ReserveFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long sizeBytes;
  private final long errno;

  ReserveFailedException(long sizeBytes, long errno) {
    super("address space refused: sizeBytes=" + sizeBytes, null, false, false);
    this.sizeBytes = sizeBytes;
    this.errno = errno;
  }

  /** The requested size in bytes. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** The kernel's answer, a negative errno. */
  public long errno() {
    return errno;
  }
}
