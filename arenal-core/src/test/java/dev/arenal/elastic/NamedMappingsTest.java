package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A space has its name with the kernel, whatever happens in it. */
final class NamedMappingsTest {
  private static final String NAME = "arenal: tenants";

  @RegisterExtension private final TestSpaces spaces = new TestSpaces();

  @BeforeEach
  void kernelNames() {
    spaces.os.setCanName(true);
  }

  @ParameterizedTest
  @EnumSource
  void allOfASpace_hasItsName(CommitMode mode) {
    ElasticSpace space =
        spaces.build(spaces.builder("tenants").commitMode(mode).reclaimPolicy(ReclaimPolicy.NONE));
    for (int round = 0; round < 3; round++) {
      ElasticArena first = space.openConfined();
      ElasticArena second = space.openConfined();
      for (int i = 0; i < 200; i++) {
        var _ = (i % 3 == 0 ? second : first).allocate(100_000);
      }
      first.close();
      assertThat(space.trim()).isPositive();
      assertThat(spaces.os.names()).containsExactly(NAME);
      second.close();
      assertThat(space.trim()).isPositive();
      assertThat(spaces.os.names()).containsExactly(NAME);
    }
  }

  /** Names would be an expensive hint if each commit had the kernel asked. */
  @Test
  void onlyWhatIsMapped_isNamed() {
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("tenants")
                .commitMode(CommitMode.DISCARD)
                .reclaimPolicy(ReclaimPolicy.NONE));
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(30 << 20);
    }
    assertThat(space.trim()).isPositive();
    assertThat(spaces.os.callCount(Call.NAME)).isEqualTo(spaces.os.callCount(Call.RESERVE));
  }

  @Test
  void spaceWhoseNameIsRefused_works() {
    spaces.os.failAlways(Call.NAME, Errno.ENOMEM);
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("tenants")
                .commitMode(CommitMode.PROTECT)
                .reclaimPolicy(ReclaimPolicy.NONE));
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(1 << 20).fill((byte) 1);
    }
    assertThat(space.trim()).isPositive();
    assertThat(spaces.os.names()).containsExactly("");
    assertThat(spaces.os.failureCount()).isGreaterThan(1);
  }
}
