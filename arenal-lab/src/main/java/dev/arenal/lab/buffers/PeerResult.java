package dev.arenal.lab.buffers;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one allocator stood one load, as far as loads have that in common. */
public interface PeerResult {
  /** The allocator. */
  PeerKind kind();

  /** How long it was told to keep free memory, or says that it does; null if neither. */
  @Nullable Duration delay();

  /** The time that one allocation in a thousand is longer than; null in old results. */
  @Nullable Long p999AllocationNanos();
}
