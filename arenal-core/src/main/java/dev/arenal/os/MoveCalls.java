package dev.arenal.os;

/**
 * How memory is moved to a range of one's own by a kernel that unmaps this range first, and may
 * refuse after that.
 */
interface MoveCalls {
  /**
   * Asks the kernel.
   *
   * @return 0, or a negative errno; the second range may have been unmapped then
   */
  int remap(long address, long sizeBytes, long toAddress);

  /**
   * Maps a range, unless any of it is mapped.
   *
   * @return whether all of it was a hole, and is this process's again
   */
  boolean fillHole(long address, long sizeBytes);

  /**
   * Moves, and makes sure of the second range if that is refused.
   *
   * <p>If a range that may have been unmapped is mapped, either the kernel had not got that far, or
   * another thread was faster: nothing tells them apart, and writing there might be writing to
   * memory of another owner. So it is not used again. Of the refusals only those that come before
   * the kernel does anything leave no doubt.
   *
   * @return as {@link OperatingSystem#move}
   */
  default int move(long address, long sizeBytes, long toAddress) {
    int error = remap(address, sizeBytes, toAddress);
    if (error == 0 || comesFirst(error) || fillHole(toAddress, sizeBytes)) {
      return error;
    }
    return -Errno.ENOTRECOVERABLE;
  }

  /** The call is not known (or not with these flags), or not allowed at all. */
  private static boolean comesFirst(int error) {
    return error == -Errno.ENOSYS || error == -Errno.EINVAL || error == -Errno.EPERM;
  }
}
