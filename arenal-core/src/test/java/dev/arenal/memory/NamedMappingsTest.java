package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import org.junit.jupiter.api.Test;

/** Reserved memory has its name with the kernel. */
final class NamedMappingsTest {
  private static final long SIZE_BYTES = 1 << 20;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();

  @Test
  void reservedMemory_hasItsName() {
    os.setCanName(true);
    try (ReservedMemory memory = ReservedMemory.reserve(os, "table", SIZE_BYTES, budget())) {
      assertThat(memory.commit(0, SIZE_BYTES)).isEqualTo(SIZE_BYTES);
      assertThat(os.names()).containsExactly("arenal: table");
    }
    os.assertNothingMapped();
  }

  @Test
  void withoutItsName_itIsThereNevertheless() {
    os.setCanName(true);
    os.failCalls(2, 1, Errno.ENOMEM); // the one after the addresses are reserved
    try (ReservedMemory memory = ReservedMemory.reserve(os, "table", SIZE_BYTES, budget())) {
      assertThat(os.failureCount()).isEqualTo(1);
      assertThat(memory.commit(0, SIZE_BYTES)).isEqualTo(SIZE_BYTES);
      assertThat(os.names()).containsExactly("");
    }
    os.assertNothingMapped();
  }

  private static Budget budget() {
    return Budget.limitedTo("b", SIZE_BYTES);
  }
}
