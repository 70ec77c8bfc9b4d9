package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages that are kept for arenas of one kind (ADR 0046), as an owner of arenas sees them. */
final class PieceKindsTest {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @Test
  void arenasThatBeginAlike_leaveWholePages() {
    ElasticSpace space = spaces.build(spaces.builder("kinds").reserveBytes(0));
    List<ElasticArena> staying = new ArrayList<>();
    List<ElasticArena> ending = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      ElasticArena arena = space.openConfined();
      boolean isStaying = i % 8 < 2;
      var _ = arena.allocate(isStaying ? 56 : 48).fill((byte) 1);
      var _ = arena.allocate(300).fill((byte) 1);
      (isStaying ? staying : ending).add(arena);
    }
    ending.forEach(ElasticArena::close);
    var _ = space.trim();
    space.verify();
    // Scattered over the pages of all, those that stay would hold nearly every page.
    assertThat(space.committedBytes()).isLessThan(2 * space.usedBytes());
    staying.forEach(ElasticArena::close);
  }
}
