package dev.arenal.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The real kernel does what {@link OperatingSystem} says. */
final class LinuxOperatingSystemTest {
  private static final long SIZE_BYTES = 1 << 20;

  /**
   * The second page, which the kernel gives to nobody. An address that was released may be another
   * thread's.
   */
  private static final long UNMAPPED_ADDRESS = OperatingSystem.current().pageSizeBytes();

  private final OperatingSystem os = OperatingSystem.current();
  private final long pageBytes = os.pageSizeBytes();
  private long lazy;
  private long reserved;

  @BeforeEach
  void reserve() {
    lazy = os.reserve(SIZE_BYTES, true);
    reserved = os.reserve(SIZE_BYTES, false);
  }

  @AfterEach
  void release() {
    assertThat(os.release(lazy, SIZE_BYTES)).isZero();
    assertThat(os.release(reserved, SIZE_BYTES)).isZero();
  }

  /** Memory that the program has protected, say: that is no kernel without the call. */
  @Test
  void populateOfWhatIsNotAccessible_isRefused_andNoOtherIs() {
    OperatingSystem os = new LinuxOperatingSystem();
    assumeTrue(os.canPopulate(), "Linux 5.14 or later");
    long pageBytes = os.pageSizeBytes();
    long address = os.reserve(2 * pageBytes, false);
    assertThat(os.allow(address, pageBytes)).isZero();
    assertThat(os.populate(address, pageBytes)).isZero();
    assertThat(os.populate(address + pageBytes, pageBytes)).isEqualTo(-Errno.EINVAL);
    assertThat(os.canPopulate()).isTrue();
    assertThat(os.release(address, 2 * pageBytes)).isZero();
  }

  @Test
  void reserve_givesWholePages() {
    assertThat(lazy).isPositive();
    assertThat(lazy % pageBytes).isZero();
    assertThat(reserved).isPositive();
    assertThat(reserved % pageBytes).isZero();
  }

  @Test
  void reserve_ofMoreThanThereIs_isRefused() {
    assertThat(os.reserve(1L << 60, true)).isEqualTo(-Errno.ENOMEM);
    assertThat(os.reserve(1L << 60, false)).isEqualTo(-Errno.ENOMEM);
  }

  /** In a thread of its own, which stays bound. */
  @Test
  void boundThread_runsThere_andKnowsItsNode() throws Exception {
    BitSet all = new BitSet();
    for (int node = 0; node < os.nodeCount(); node++) {
      all.or(os.processorsOfNode(node));
    }
    assumeTrue(!all.isEmpty(), "the kernel tells of nodes");
    int last = all.length() - 1;
    CompletableFuture.runAsync(
            () -> {
              assertThat(os.bindThread(new BitSet())).isEqualTo(-Errno.EINVAL);
              all.clear(0, last);
              assertThat(os.bindThread(all)).isZero();
              assertThat(os.processorsOfNode(os.currentNode()).get(last)).isTrue();
              assertThat(KernelFiles.lines(Path.of("/proc/thread-self/status")))
                  .contains("Cpus_allowed_list:\t" + last);
            },
            task -> new Thread(task, "bound").start())
        .get(30, TimeUnit.SECONDS);
  }

  @Test
  void discard_ofManyRanges_makesThemZeroAndNothingElse() {
    fill(lazy, SIZE_BYTES);
    int count = 50;
    long[] addresses = new long[count];
    long[] sizesBytes = new long[count];
    for (int i = 0; i < count; i++) {
      addresses[i] = lazy + 2L * i * pageBytes;
      sizesBytes[i] = pageBytes;
    }
    assertThat(os.discard(addresses, sizesBytes, count)).isZero();
    for (int i = 0; i < 2 * count; i++) {
      assertThat(firstByte(lazy + i * pageBytes)).as("page %d", i).isEqualTo((byte) (i % 2));
    }
    assertThat(firstByte(lazy + 2L * count * pageBytes)).isEqualTo((byte) 1);
  }

  @Test
  void discard_ofWhatIsNotMapped_isRefused() {
    assertThat(os.discard(new long[] {UNMAPPED_ADDRESS}, new long[] {pageBytes}, 1))
        .isEqualTo(-Errno.ENOMEM);
  }

  @Test
  void populate_keepsContents() {
    fill(lazy, pageBytes);
    assertThat(os.populate(lazy, SIZE_BYTES)).isZero();
    assertThat(firstByte(lazy)).isEqualTo((byte) 1);
    assertThat(firstByte(lazy + pageBytes)).isZero();
  }

  @Test
  void allow_afterRevoke_isZeroAgain() {
    assertThat(os.allow(reserved, SIZE_BYTES)).isZero();
    fill(reserved, SIZE_BYTES);
    assertThat(os.revoke(reserved + pageBytes, pageBytes)).isZero();
    assertThat(os.allow(reserved + pageBytes, pageBytes)).isZero();
    assertThat(firstByte(reserved)).isEqualTo((byte) 1);
    assertThat(firstByte(reserved + pageBytes)).isZero();
    assertThat(firstByte(reserved + 2 * pageBytes)).isEqualTo((byte) 1);
  }

  /** A refusal must not leave a hole, which some other mapping could fill. */
  @Test
  void allow_thatIsRefused_leavesAddressesReserved() {
    long gone = os.reserve(3 * pageBytes, false);
    // A hole of one page, which hardly any other thread of the JVM can use.
    assertThat(os.release(gone + pageBytes, pageBytes)).isZero();
    assertThat(os.allow(gone, 3 * pageBytes)).isEqualTo(-Errno.ENOMEM);
    assertThat(os.revoke(gone, pageBytes)).isZero();
    assertThat(os.release(gone, pageBytes)).isZero();
    assertThat(os.release(gone + 2 * pageBytes, pageBytes)).isZero();
  }

  @Test
  void move_takesContentsAlong_andLeavesZero() {
    fill(lazy, SIZE_BYTES);
    long target = os.reserve(SIZE_BYTES, true);
    var _ = segment(target, SIZE_BYTES).fill((byte) 2);
    long half = SIZE_BYTES / 2;
    assertThat(os.move(lazy + half, half - pageBytes, target + pageBytes)).isZero();
    assertThat(firstByte(target)).isEqualTo((byte) 2);
    assertThat(segment(target + pageBytes, half - pageBytes).mismatch(segment(lazy, half)))
        .as("the same but for the length")
        .isEqualTo(half - pageBytes);
    assertThat(firstByte(target + half)).isEqualTo((byte) 2);
    assertThat(firstByte(lazy + half - pageBytes)).isEqualTo((byte) 1);
    assertThat(firstByte(lazy + half)).isZero();
    assertThat(firstByte(lazy + SIZE_BYTES - 2 * pageBytes)).isZero();
    assertThat(firstByte(lazy + SIZE_BYTES - pageBytes)).isEqualTo((byte) 1);
    // Where it went away from, it can come back to, and both are ordinary memory.
    assertThat(os.move(target + pageBytes, half - pageBytes, lazy + half)).isZero();
    assertThat(firstByte(lazy + half)).isEqualTo((byte) 1);
    fill(target, SIZE_BYTES);
    assertThat(os.discard(new long[] {target}, new long[] {SIZE_BYTES}, 1)).isZero();
    assertThat(firstByte(target + pageBytes)).isZero();
    assertThat(os.release(target, SIZE_BYTES)).isZero();
  }

  @Test
  void move_thatIsRefused_changesNothing() {
    fill(lazy, SIZE_BYTES);
    long target = os.reserve(SIZE_BYTES, true);
    var _ = segment(target, SIZE_BYTES).fill((byte) 2);
    assertThat(os.move(lazy, 2 * pageBytes, lazy + pageBytes)).isEqualTo(-Errno.EINVAL);
    assertThat(os.move(lazy + 1, pageBytes, target)).isEqualTo(-Errno.EINVAL);
    for (long at = 0; at < SIZE_BYTES; at += pageBytes) {
      assertThat(firstByte(lazy + at)).isEqualTo((byte) 1);
      assertThat(firstByte(target + at)).isEqualTo((byte) 2);
    }
    assertThat(os.release(target, SIZE_BYTES)).isZero();
  }

  /**
   * Kernels before 6.17 unmap the target of such a move first; it is mapped again then. Later ones
   * leave it, which cannot be told from another thread's mapping.
   */
  @Test
  void move_ofWhatIsNotMapped_leavesTheTargetMapped_orInDoubt() {
    long target = os.reserve(pageBytes, true);
    int result = os.move(UNMAPPED_ADDRESS, pageBytes, target);
    assertThat(result).isIn(-Errno.EFAULT, -Errno.ENOTRECOVERABLE);
    if (result == -Errno.EFAULT) { // else nobody may release it
      assertThat(os.release(target, pageBytes)).isZero();
    }
  }

  @Test
  void residentBytes_growWithWhatIsTouched() {
    long before = ResidentSize.bytes();
    long sizeBytes = 64 << 20;
    long address = os.reserve(sizeBytes, true);
    assertThat(os.populate(address, sizeBytes)).isZero();
    for (long at = 0; at < sizeBytes; at += pageBytes) {
      segment(address + at, 1).set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    }
    assertThat(ResidentSize.bytes()).isGreaterThan(before + sizeBytes / 2);
    assertThat(os.release(address, sizeBytes)).isZero();
  }

  /** Where they are for everybody, a word that is written would make 2 MiB resident. */
  @Test
  void hugePages_areNotTakenUnlessAskedFor() throws IOException {
    assumeTrue(
        Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"))
            && Files.isReadable(Path.of("/proc/self/smaps")),
        "the kernel has huge pages, and tells what is advised");
    assertThat(flagsOf(lazy)).contains("nh");
    assertThat(flagsOf(reserved)).contains("nh");
    assertThat(os.allow(reserved + pageBytes, 2 * pageBytes)).isZero();
    assertThat(os.revoke(reserved + 2 * pageBytes, pageBytes)).isZero();
    assertThat(flagsOf(reserved + pageBytes)).contains("nh", "wr");
    assertThat(flagsOf(reserved + 2 * pageBytes)).contains("nh").doesNotContain("wr");
    assertThat(os.allow(reserved + 2 * pageBytes, pageBytes)).isZero();
    assertThat(flagsOf(reserved + 2 * pageBytes)).contains("nh", "wr");
    assertThat(os.adviseHuge(lazy, SIZE_BYTES, true)).isZero();
    assertThat(flagsOf(lazy)).contains("hg").doesNotContain("nh");
    assertThat(os.adviseHuge(lazy, SIZE_BYTES, false)).isZero();
    assertThat(flagsOf(lazy)).contains("nh").doesNotContain("hg");
    long target = os.reserve(SIZE_BYTES, true);
    assertThat(os.move(lazy, pageBytes, target)).isZero();
    assertThat(flagsOf(target)).contains("nh");
    assertThat(os.release(target, SIZE_BYTES)).isZero();
  }

  /** Granules of two owners side by side, as a kernel that names mappings shows them. */
  @Test
  void names_areInTheKernelsList_andCostNoMappings() throws IOException {
    OperatingSystem own = os.named("[tenants]");
    assumeTrue(
        !own.equals(os),
        "the kernel does not name mappings (since Linux 5.17, with CONFIG_ANON_VMA_NAME)");
    long address = own.reserve(SIZE_BYTES, false);
    assertThat(namesOf(address)).containsExactly("[anon:arenal: _tenants_]");
    for (long at = 0; at < SIZE_BYTES; at += 2 * pageBytes) {
      assertThat(own.allow(address + at, pageBytes)).isZero();
    }
    assertThat(namesOf(address)).containsOnly("[anon:arenal: _tenants_]").hasSizeGreaterThan(100);
    for (long at = 0; at < SIZE_BYTES; at += 2 * pageBytes) {
      assertThat(own.revoke(address + at, pageBytes)).isZero();
    }
    assertThat(namesOf(address)).containsExactly("[anon:arenal: _tenants_]");
    long target = os.named("others").reserve(SIZE_BYTES, true);
    long source = own.reserve(SIZE_BYTES, true);
    fill(source, pageBytes);
    assertThat(os.named("others").move(source, pageBytes, target)).isZero();
    assertThat(namesOf(target)).containsOnly("[anon:arenal: others]");
    assertThat(own.release(address, SIZE_BYTES)).isZero();
    assertThat(own.release(source, SIZE_BYTES)).isZero();
    assertThat(own.release(target, SIZE_BYTES)).isZero();
  }

  @Test
  void kernelThatNamesNothing_isTheSameForAllOwners() throws IOException {
    assumeTrue(os.named("tenants").equals(os), "the kernel names mappings");
    assertThat(os.named("others")).isSameAs(os);
    assertThat(os.kernel()).isSameAs(os);
    assertThat(namesOf(lazy)).containsOnly("");
  }

  /** Of the mappings of a range of {@link #SIZE_BYTES}, in order; empty for one without a name. */
  private static List<String> namesOf(long address) throws IOException {
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      int dash = line.indexOf('-');
      int space = line.indexOf(' ');
      if (Long.parseUnsignedLong(line, 0, dash, 16) < address + SIZE_BYTES
          && Long.parseUnsignedLong(line, dash + 1, space, 16) > address) {
        int name = line.indexOf('[');
        names.add(name < 0 ? "" : line.substring(name));
      }
    }
    return names;
  }

  private static List<String> flagsOf(long address) throws IOException {
    boolean isInside = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      int dash = line.indexOf('-');
      int space = line.indexOf(' ');
      if (dash > 0 && dash < space) {
        isInside =
            Long.parseUnsignedLong(line, 0, dash, 16) <= address
                && Long.parseUnsignedLong(line, dash + 1, space, 16) > address;
      } else if (isInside && line.startsWith("VmFlags:")) {
        return List.of(line.substring("VmFlags:".length()).strip().split(" ", -1));
      }
    }
    return List.of();
  }

  @Test
  void errno_hasAName() {
    assertThat(Errno.name(-Errno.ENOMEM)).isEqualTo("ENOMEM (12)");
    assertThat(Errno.name(Errno.EPERM)).isEqualTo("EPERM (1)");
    assertThat(Errno.name(-99)).isEqualTo("errno (99)");
  }

  private static void fill(long address, long sizeBytes) {
    var _ = segment(address, sizeBytes).fill((byte) 1);
  }

  private static byte firstByte(long address) {
    return segment(address, 1).get(ValueLayout.JAVA_BYTE, 0);
  }

  private static MemorySegment segment(long address, long sizeBytes) {
    return NativeMemory.segment(address, sizeBytes, Arena.global());
  }
}
