package dev.arenal.elastic.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.reserve.ReserveFailedException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The mappings of a space, and the roots in them. */
final class NodesTest {
  private static final long MIB = 1 << 20;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final SpaceCounters counters = new SpaceCounters();

  @AfterEach
  void nothingIsLeft() {
    os.assertNothingMapped();
  }

  @Test
  void nodes_doubleWhatIsReserved() {
    Nodes nodes = nodes(0);
    long sum = 0;
    for (long expectedMib : new long[] {64, 64, 128, 256, 512}) {
      Node node = Objects.requireNonNull(nodes.add(Chunk.ROOT_BYTES, Chunk.ROOT_BYTES));
      assertThat(node.reservation.sizeBytes()).isEqualTo(expectedMib * MIB);
      assertThat(node.capacityRoots).isEqualTo((int) (expectedMib / 16));
      assertThat(node.firstRoot).isEqualTo((int) (sum / 16));
      assertThat(node.isUsed(node.firstRoot)).isFalse();
      sum += expectedMib;
      assertThat(nodes.reservedBytes()).isEqualTo(sum * MIB);
    }
    assertThat(nodes.count()).isEqualTo(5);
    assertThat(counters.nodeBirths).isEqualTo(5);
    for (int root = 0; root < sum / 16; root++) {
      Node node = nodes.ofRoot(root);
      assertThat(root).isBetween(node.firstRoot, node.firstRoot + node.capacityRoots - 1);
    }
    assertThatThrownBy(() -> nodes.ofRoot(64)).isInstanceOf(IndexOutOfBoundsException.class);
    nodes.release();
    assertThat(nodes.count()).isZero();
    assertThat(nodes.reservedBytes()).isZero();
    assertThat(counters.nodeDeaths).isEqualTo(5);
  }

  @Test
  void largeRequest_hasANodeOfWholeRoots() {
    Nodes nodes = nodes(0);
    Node node = Objects.requireNonNull(nodes.add(100 * MIB + 1, Chunk.ROOT_BYTES));
    assertThat(node.reservation.sizeBytes()).isEqualTo(112 * MIB);
    node = Objects.requireNonNull(nodes.add(112 * MIB, Chunk.ROOT_BYTES));
    assertThat(node.reservation.sizeBytes()).isEqualTo(112 * MIB);
    node = Objects.requireNonNull(nodes.add(17 * MIB, 64 * MIB));
    assertThat(node.reservation.sizeBytes()).isEqualTo(32 * MIB);
    assertThat(node.reservation.baseAddress() % (64 * MIB)).isZero();
    nodes.release();
  }

  @Test
  void sizeThatNoSpaceHas_isRefused_withoutACall() {
    Nodes nodes = nodes(0);
    int callCount = os.callCount(Call.RESERVE);
    assertThat(nodes.add(Long.MAX_VALUE, Chunk.ROOT_BYTES)).isNull();
    assertThat(nodes.add(Long.MAX_VALUE, 64 * MIB)).isNull();
    assertThat(nodes.add(Long.MAX_VALUE - Chunk.ROOT_BYTES + 1, Chunk.ROOT_BYTES)).isNull();
    assertThat(nodes.add(Long.MAX_VALUE - Chunk.ROOT_BYTES + 1, 64 * MIB)).isNull();
    assertThat(os.callCount(Call.RESERVE)).isEqualTo(callCount);
  }

  @Test
  void fixedSpace_doesNotGrow() throws ReserveFailedException {
    Nodes nodes = nodes(20 * MIB);
    Node node = nodes.addExactly(20 * MIB, Chunk.ROOT_BYTES);
    assertThat(nodes.add(MIB, Chunk.ROOT_BYTES)).isNull();
    assertThat(nodes.add(MIB, 64 * MIB)).isNull();
    assertThat(nodes.count()).isEqualTo(1);
    assertThat(node.capacityRoots).isEqualTo(2);
    assertThat(node.unitCount(0)).isEqualTo(16384);
    assertThat(node.unitCount(1)).isEqualTo(4096); // cut short
    nodes.release();
  }

  /** Under a limit on addresses the usual size may be too much where the needed is not. */
  @Test
  void refusedNode_isTriedAsSmallAsItMayBe_andTheErrorIsKept() {
    Nodes nodes = nodes(0);
    assertThat(nodes.lastErrno()).isZero();
    os.failCalls(1, 1, Errno.ENOMEM);
    Node node = Objects.requireNonNull(nodes.add(17 * MIB, Chunk.ROOT_BYTES));
    assertThat(node.reservation.sizeBytes()).isEqualTo(32 * MIB);
    assertThat(nodes.lastErrno()).isZero();
    os.failAlways(Call.RESERVE, Errno.ENOMEM);
    assertThat(nodes.add(MIB, Chunk.ROOT_BYTES)).isNull();
    assertThat(nodes.lastErrno()).isEqualTo(-Errno.ENOMEM);
    os.failAlways(Call.RESERVE, Errno.EAGAIN);
    assertThat(nodes.add(MIB, 64 * MIB)).isNull();
    assertThat(nodes.lastErrno()).isEqualTo(-Errno.EAGAIN);
    os.succeed();
    assertThat(nodes.count()).isEqualTo(1);
    nodes.release();
  }

  @Test
  void address_isInTheNodeThatHasIt() {
    Nodes nodes = nodes(0);
    Node first = Objects.requireNonNull(nodes.add(MIB, Chunk.ROOT_BYTES));
    Node second = Objects.requireNonNull(nodes.add(MIB, Chunk.ROOT_BYTES));
    for (Node node : new Node[] {first, second}) {
      long base = node.reservation.baseAddress();
      assertThat(nodes.nodeOf(base)).isSameAs(node);
      assertThat(nodes.nodeOf(base + 64 * MIB - 1)).isSameAs(node);
      assertThat(nodes.reservationOf(base + 5)).isSameAs(node.reservation);
      for (long outside : new long[] {base - 1, base + 64 * MIB}) {
        assertThatThrownBy(() -> nodes.nodeOf(outside))
            .isInstanceOf(AssertionError.class)
            .hasMessage("address is in no node: 0x" + Long.toHexString(outside));
      }
    }
    nodes.release();
  }

  @Test
  void room_isInTheFirstNodeThatHasRootsLeft() {
    Nodes nodes = nodes(0);
    assertThat(nodes.withRoom()).isNull();
    Node first = Objects.requireNonNull(nodes.add(MIB, Chunk.ROOT_BYTES));
    Node second = Objects.requireNonNull(nodes.add(MIB, Chunk.ROOT_BYTES));
    assertThat(nodes.withRoom()).isSameAs(first);
    first.usedRoots = 3;
    assertThat(nodes.withRoom()).isSameAs(first);
    assertThat(first.isFull()).isFalse();
    assertThat(first.usedBytes()).isEqualTo(48 * MIB);
    assertThat(first.isUsed(2)).isTrue();
    assertThat(first.isUsed(3)).isFalse();
    first.usedRoots = 4;
    assertThat(first.isFull()).isTrue();
    assertThat(nodes.withRoom()).isSameAs(second);
    second.usedRoots = 4;
    assertThat(nodes.withRoom()).isNull();
    nodes.release();
  }

  @Test
  void committedBytes_areSums_alsoOfWhatWasReleased() {
    Nodes nodes = nodes(0);
    Node first = Objects.requireNonNull(nodes.add(MIB, Chunk.ROOT_BYTES));
    Node second = Objects.requireNonNull(nodes.add(MIB, Chunk.ROOT_BYTES));
    assertThat(first.reservation.commit(0, 3 * 4096)).isEqualTo(3 * 4096);
    assertThat(second.reservation.commit(MIB, 5 * 4096)).isEqualTo(5 * 4096);
    assertThat(nodes.committedBytes()).isEqualTo(8 * 4096);
    assertThat(second.reservation.uncommitted(MIB, 4096)).isEqualTo(4096);
    assertThat(nodes.committedBytes()).isEqualTo(7 * 4096);
    assertThat(nodes.everCommittedBytes()).isEqualTo(8 * 4096);
    assertThat(nodes.everUncommittedBytes()).isEqualTo(4096);
    os.failCalls(2, 1, Errno.ENOMEM); // the first node stays
    nodes.release();
    assertThat(nodes.count()).isEqualTo(1);
    assertThat(nodes.lastErrno()).isEqualTo(-Errno.ENOMEM);
    assertThat(nodes.reservedBytes()).isEqualTo(64 * MIB);
    assertThat(counters.nodeDeaths).isEqualTo(1);
    assertThat(nodes.committedBytes()).isEqualTo(3 * 4096);
    assertThat(nodes.everCommittedBytes()).isEqualTo(8 * 4096);
    os.succeed();
    nodes.release();
    assertThat(nodes.everCommittedBytes()).isEqualTo(8 * 4096);
    assertThat(nodes.everUncommittedBytes()).isEqualTo(8 * 4096);
  }

  /** Roots, units and levels of the offsets of the second node. */
  @Test
  void offsets_areThoseOfChunks() throws ReserveFailedException {
    Nodes nodes = nodes(0);
    var _ = nodes.addExactly(32 * MIB, Chunk.ROOT_BYTES);
    Node node = nodes.addExactly(50 * MIB, Chunk.ROOT_BYTES);
    assertThat(node.firstRoot).isEqualTo(2);
    long handle = Chunk.handle(4, 5, 14);
    assertThat(node.offsetBytes(handle)).isEqualTo(32 * MIB + 5 * 1024);
    assertThat(node.address(handle))
        .isEqualTo(node.reservation.baseAddress() + 32 * MIB + 5 * 1024);
    assertThat(node.rootAt(32 * MIB + 5 * 1024)).isEqualTo(4);
    assertThat(node.unitAt(32 * MIB + 5 * 1024)).isEqualTo(5);
    assertThat(node.rootAt(32 * MIB - 1)).isEqualTo(3);
    assertThat(node.unitAt(32 * MIB - 1)).isEqualTo(16383);
    assertThat(node.unitCount(5)).isEqualTo(2048);
    node.usedRoots = 4;
    assertThat(node.usedBytes()).isEqualTo(50 * MIB);
    // The largest that is aligned, lies in the chunk around it, and is not too large.
    assertThat(node.levelAt(0, 0, 64 * MIB)).isZero();
    assertThat(node.levelAt(16 * MIB, 2, 64 * MIB)).isEqualTo(2);
    assertThat(node.levelAt(17 * MIB, 0, 64 * MIB)).isEqualTo(Chunk.levelFor(MIB));
    assertThat(node.levelAt(18 * MIB, 0, 64 * MIB)).isEqualTo(Chunk.levelFor(2 * MIB));
    assertThat(node.levelAt(16 * MIB, 0, 3 * MIB)).isEqualTo(Chunk.levelFor(2 * MIB));
    assertThat(node.levelAt(16 * MIB + 4096, 3, 3 * MIB)).isEqualTo(Chunk.levelFor(4096));
    nodes.release();
  }

  private Nodes nodes(long fixedSizeBytes) {
    return new Nodes(
        os, CommitMode.DISCARD, Budget.unlimited("test"), 4096, fixedSizeBytes == 0, counters);
  }
}
