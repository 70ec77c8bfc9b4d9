package dev.arenal.page;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for memory, as an attempt. A class and no lambda: one that is linked at its
 * first use, at the end of a stack, fails for ever.
 */
record WaitingRequest(PageState state, long sizeBytes, long alignmentBytes, PageAge age)
    implements Supplier<@Nullable PageBuffer> {
  @Override
  public @Nullable PageBuffer get() {
    return state.tryAllocate(sizeBytes, alignmentBytes, age);
  }
}
