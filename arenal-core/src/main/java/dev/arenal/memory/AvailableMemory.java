package dev.arenal.memory;

import dev.arenal.os.MemoryFigures;
import dev.arenal.os.OperatingSystem;

/**
 * The memory that the machine and the container have left for this process at one moment. A
 * pretouch checks it before it begins.
 *
 * <p>It is the smallest of {@code MemAvailable} and the bytes that each control group leaves, from
 * the group of this process up to the root, in version 1 or 2. A file that cannot be read sets no
 * limit. The figure is not a promise: other processes may take the memory first.
 */
public final class AvailableMemory {
  private final MemoryFigures figures;

  private AvailableMemory(MemoryFigures figures) {
    this.figures = figures;
  }

  /**
   * The memory that is available now. <b>Cost:</b> a dozen small files are read, in well below a
   * millisecond.
   *
   * @throws UnsupportedOperationException on systems other than Linux on x86-64 or aarch64
   * @throws IllegalCallerException if native access is denied to this module
   */
  public static AvailableMemory now() {
    return new AvailableMemory(OperatingSystem.current().memoryFigures());
  }

  /** Available bytes; {@link Long#MAX_VALUE} if nothing is known. */
  public long bytes() {
    return figures.availableBytes();
  }

  /** Bytes of physical memory of the machine; {@link Long#MAX_VALUE} if that is not known. */
  public long machineBytes() {
    return figures.memTotalBytes();
  }

  /** The bytes, and the figures from which they are computed. */
  @Override
  public String toString() {
    return "AvailableMemory[bytes=" + bytes() + ", figures=" + figures + "]";
  }
}
