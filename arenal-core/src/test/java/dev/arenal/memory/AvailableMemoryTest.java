package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AvailableMemoryTest {
  /** The arithmetic is that of MemoryFigures; here the machine itself is asked. */
  @Test
  void thisMachine_hasSomeAndNotMoreThanAll() {
    AvailableMemory memory = AvailableMemory.now();
    assertThat(memory.bytes()).isBetween(1L << 20, memory.machineBytes());
    assertThat(memory).asString().contains("bytes=" + memory.bytes(), "memAvailableBytes=");
  }
}
