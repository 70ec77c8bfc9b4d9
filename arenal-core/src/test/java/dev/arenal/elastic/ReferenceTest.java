package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** 32-bit references to the blocks of a fixed space. */
final class ReferenceTest {
  private static final String NO_LIVE_BLOCK =
      " (expected one that reference() returned for a block whose arena is open)";

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @Test
  void reference_comesBackAsTheSameBlock() {
    ElasticSpace space = fixed(64 << 20);
    try (ElasticArena arena = space.openConfined()) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int size = 0; size < 200; size++) {
        blocks.add(arena.allocate(size));
      }
      blocks.add(arena.allocate(20 << 20));
      List<Integer> references = blocks.stream().map(space::reference).toList();
      assertThat(references).doesNotContain(0).doesNotHaveDuplicates();
      for (int i = 0; i < blocks.size(); i++) {
        MemorySegment again = space.segment(references.get(i));
        assertThat(again.address()).isEqualTo(blocks.get(i).address());
        assertThat(again.byteSize()).isEqualTo(blocks.get(i).byteSize());
        assertThat(again.scope()).isEqualTo(arena.scope());
        assertThat(space.reference(blocks.get(i))).isEqualTo(references.get(i));
      }
    }
  }

  @Test
  void growableSpace_hasNone() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment block = arena.allocate(8);
      String message =
          "space has no references: space=test, fixedSizeBytes=0"
              + " (expected a fixed size below 34359738368)";
      assertThatThrownBy(() -> space.reference(block))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(message);
      assertThatThrownBy(() -> space.segment(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(message);
    }
  }

  @Test
  void hugeFixedSpace_hasNone() {
    ElasticSpace space = fixed(References.MAX_SPACE_BYTES);
    assertThatThrownBy(() -> space.segment(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "space has no references: space=test, fixedSizeBytes=34359738368"
                + " (expected a fixed size below 34359738368)");
  }

  @Test
  void largestSpace_namesItsLastBlock() {
    ElasticSpace space = fixed(References.MAX_SPACE_BYTES - (16 << 20));
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment most = arena.allocate(References.MAX_SPACE_BYTES - (32 << 20));
      MemorySegment last = arena.allocate(1 << 20);
      assertThat(space.segment(space.reference(last)).address()).isEqualTo(last.address());
      assertThat(space.segment(space.reference(most)).byteSize()).isEqualTo(most.byteSize());
    }
  }

  @Test
  @SuppressWarnings("restricted") // segments that the program has made longer
  void whatIsNoBlockOfTheSpace_hasNoReference() {
    ElasticSpace space = fixed(1 << 20);
    ElasticSpace other = spaces.build(spaces.builder("other").fixedSizeBytes(1 << 20));
    try (ElasticArena arena = space.openConfined();
        ElasticArena foreign = other.openConfined();
        Arena jdk = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(64);
      assertNoReference(space, foreign.allocate(64));
      assertNoReference(space, jdk.allocate(64));
      assertNoReference(space, MemorySegment.ofArray(new byte[64]));
      assertNoReference(space, MemorySegment.NULL);
      assertNoReference(space, MemorySegment.ofAddress(block.address()));
      assertNoReference(space, block.asSlice(1));
      assertNoReference(space, block.reinterpret(1 << 19));
      assertNoReference(space, block.reinterpret(Long.MAX_VALUE));
    }
  }

  @Test
  void referenceThatWasNeverGiven_isRefused() {
    ElasticSpace space = fixed(1 << 20);
    try (ElasticArena arena = space.openConfined()) {
      int reference = space.reference(arena.allocate(64));
      for (int wrong : new int[] {0, -1, reference + 1, reference - 1, 1 << 17, 1 << 30}) {
        assertRefused(space, wrong);
      }
    }
  }

  @Test
  void blockGivenBack_isNoLongerNamed() {
    ElasticSpace space = fixed(1 << 20);
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment first = arena.allocate(64);
      MemorySegment second = arena.allocate(64);
      int gone = space.reference(first);
      int stays = space.reference(second);
      arena.deallocate(first);
      assertRefused(space, gone);
      assertThat(space.segment(stays).address()).isEqualTo(second.address());
      MemorySegment again = arena.allocate(64);
      assertThat(again.address()).isEqualTo(first.address());
      assertRefused(space, gone); // only reference() names it
      assertThat(space.reference(again)).isEqualTo(gone);
    }
  }

  /** In the middle of others, which stay. */
  @Test
  void blockGivenBack_takesNoOtherReferenceAlong() {
    ElasticSpace space = fixed(1 << 20);
    try (ElasticArena arena = space.openConfined()) {
      List<MemorySegment> blocks = new ArrayList<>();
      List<Integer> references = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        blocks.add(arena.allocate(64));
        references.add(space.reference(blocks.get(i)));
      }
      arena.deallocate(blocks.get(50));
      for (int i = 0; i < 100; i++) {
        if (i == 50) {
          assertRefused(space, references.get(i));
        } else {
          MemorySegment block = space.segment(references.get(i));
          assertThat(block.address()).isEqualTo(blocks.get(i).address());
        }
      }
    }
  }

  /** To its last byte, behind which there is nothing. */
  @Test
  void blockThatIsTheWholeSpace_isNamed() {
    ElasticSpace space = fixed(1 << 20);
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment whole = arena.allocate(1 << 20);
      MemorySegment named = space.segment(space.reference(whole));
      assertThat(named.address()).isEqualTo(whole.address());
      assertThat(named.byteSize()).isEqualTo(1 << 20);
    }
  }

  @Test
  void referenceOfAClosedArena_isRefused_whileTheNextOwnerHasNone() {
    ElasticSpace space = fixed(1 << 20);
    ElasticArena first = space.openConfined();
    var _ = first.allocate(8);
    MemorySegment block = first.allocate(64);
    int gone = space.reference(block);
    first.close();
    try (ElasticArena second = space.openConfined()) {
      MemorySegment large = second.allocate(4096);
      assertThat(large.address()).isLessThan(block.address());
      assertThat(large.address() + 4096).isGreaterThan(block.address());
      assertRefused(space, gone); // it would be the second's memory
    }
  }

  @Test
  void blockOfAClosedArena_isNotNamedByTheNextOwner() {
    ElasticSpace space = fixed(1 << 20);
    ElasticArena first = space.openConfined();
    var _ = first.allocate(8);
    int gone = space.reference(first.allocate(64));
    first.close();
    assertRefused(space, gone);
    try (ElasticArena second = space.openConfined()) {
      MemorySegment large = second.allocate(4096);
      var _ = space.reference(large);
      assertRefused(space, gone);
    }
  }

  @Test
  void blockOfAConfinedArena_isForItsThreadOnly() throws Exception {
    ElasticSpace space = fixed(1 << 20);
    try (ElasticArena arena = space.openConfined()) {
      int reference = space.reference(arena.allocate(64));
      Throwable[] thrown = new Throwable[1];
      Thread.ofPlatform()
          .start(() -> {
            try {
              var _ = space.segment(reference);
            } catch (Throwable e) {
              thrown[0] = e;
            }
          })
          .join();
      assertThat(thrown[0]).isInstanceOf(WrongThreadException.class);
    }
  }

  private ElasticSpace fixed(long sizeBytes) {
    return spaces.build(spaces.builder("test").fixedSizeBytes(sizeBytes));
  }

  private static void assertNoReference(ElasticSpace space, MemorySegment block) {
    assertThatThrownBy(() -> space.reference(block))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "segment is not a block of this space: space=test, address=0x"
                + Long.toHexString(block.address())
                + ", byteSize="
                + block.byteSize()
                + " (expected a segment that an open arena of this space returned, whole)");
  }

  private static void assertRefused(ElasticSpace space, int reference) {
    assertThatThrownBy(() -> space.segment(reference))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "reference names no live block: space=test, reference=0x"
                + Integer.toHexString(reference)
                + NO_LIVE_BLOCK);
  }
}
