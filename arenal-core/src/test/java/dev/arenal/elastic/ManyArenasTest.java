package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As many live arenas of a few hundred bytes as owners a program may have. */
final class ManyArenasTest {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @Test
  void hundredThousandArenas() {
    open(100_000);
  }

  @Tag("soak")
  @Test
  void millionArenas() {
    open(1_000_000);
  }

  private void open(int arenaCount) {
    ElasticSpace space = spaces.space();
    List<ElasticArena> arenas = new ArrayList<>(arenaCount);
    for (int i = 0; i < arenaCount; i++) {
      ElasticArena arena = space.openConfined();
      for (int block = 0; block < 3; block++) {
        var _ = arena.allocate(100).fill((byte) 1);
      }
      arenas.add(arena);
    }
    assertThat(space.arenaCount()).isEqualTo(arenaCount);
    assertThat(space.usedBytes()).isEqualTo(arenaCount * 3L * 104);
    assertThat(space.committedBytes()).isLessThan(arenaCount * 384L + (1 << 20));
    SpaceReport report = space.report();
    assertThat(report.metadataBytes() * 33)
        .as("metadata of " + report.metadataBytes() + " bytes: at most 3 % of what is committed")
        .isLessThan(space.committedBytes());
    for (int i = 0; i < arenaCount; i += 2) {
      arenas.get(i).close();
    }
    space.verify();
    for (int i = 1; i < arenaCount; i += 2) {
      arenas.get(i).close();
    }
    assertThat(space.committedBytes()).isLessThan(1 << 20);
  }
}
