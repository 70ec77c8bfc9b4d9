package dev.arenal.os;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A strict kernel for tests: real memory, but each call is checked against the state of the pages
 * it names, any call can be made to fail, and mappings that are left over are told.
 *
 * <p>A caller that breaks a precondition gets an {@link AssertionError} at once, and again from
 * {@link #assertNoComplaints()}, in case an exception was swallowed.
 */
public final class SimulatedOperatingSystem implements OperatingSystem {
  /** The calls that a kernel can refuse. */
  public enum Call {
    RESERVE,
    RELEASE,
    ALLOW,
    REVOKE,
    DISCARD,
    POPULATE,
    MOVE,
    /** Never fails; is counted. */
    TOUCH,
    ADVISE_HUGE,
    NAME,
    BIND,
    /** Which pages are resident: {@link #absentBytes}. */
    RESIDENCE
  }

  /** Nothing is known, nothing is limited. */
  static final MemoryFigures NO_LIMITS =
      new MemoryFigures(
          MemoryFigures.UNKNOWN,
          MemoryFigures.UNKNOWN,
          List.of(),
          MemoryFigures.UNKNOWN,
          0,
          0,
          MemoryFigures.UNKNOWN,
          0);

  private static final byte FOREIGN_STAMP = 0x5a;

  private final OperatingSystem real = OperatingSystem.current();
  private final TreeMap<Long, SimulatedMapping> mappings = new TreeMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
  private final Map<Call, Integer> alwaysErrno = new EnumMap<>(Call.class);
  private boolean overcommits = true;
  private long mostMappings = 65_530;
  private boolean forgetsToDiscard;
  private boolean pagesAreHuge;
  private boolean populatesReally;
  private @Nullable Runnable beforeDiscard;
  private @Nullable Runnable beforeAllow;
  private @Nullable Runnable beforePopulate;
  private @Nullable Runnable beforeResidence;
  private boolean canPopulate = true;
  private boolean canName;
  private Supplier<MemoryFigures> memoryFigures = () -> NO_LIMITS;
  private List<BitSet> nodes = List.of(BitSet.valueOf(new long[] {1}));
  private final List<BitSet> boundTo = new ArrayList<>();
  private int callCount;
  private int failFrom = Integer.MAX_VALUE;
  private int failTo;
  private int failErrno;
  private int failureCount;

  /** 0: moves are not refused after the unmap. */
  private int lateErrno;

  private boolean isHoleTaken;
  private final List<MemorySegment> foreign = new ArrayList<>();

  /** Nothing mapped, nothing fails. */
  private long stuckAddress;

  private long stuckSizeBytes;

  public SimulatedOperatingSystem() {}

  // ---- what tests arrange ----

  /** Fails {@code count} calls from the {@code first} on, counted from now, the first being 1. */
  public synchronized void failCalls(int first, int count, int errno) {
    callCount = 0;
    failureCount = 0;
    failFrom = first;
    failTo = first + count;
    failErrno = errno;
  }

  /** Fails every call of a kind until {@link #succeed}. */
  public synchronized void failAlways(Call call, int errno) {
    alwaysErrno.put(call, errno);
  }

  /** Refuses to take a range back, as the kernel does with locked pages, until another is told. */
  public synchronized void refuseToTake(long address, long sizeBytes) {
    stuckAddress = address;
    stuckSizeBytes = sizeBytes;
  }

  private boolean isStuck(long address, long sizeBytes) {
    return address < stuckAddress + stuckSizeBytes && address + sizeBytes > stuckAddress;
  }

  /** No more failures. */
  public synchronized void succeed() {
    alwaysErrno.clear();
    failFrom = Integer.MAX_VALUE;
    lateErrno = 0;
  }

  /**
   * Refuses each move after its second range was unmapped, as kernels may, until {@link #succeed}.
   *
   * @param isTaken whether another thread of the program maps something there at that moment: it
   *     writes into it, and relies on it; see {@link #assertForeignIntact}
   */
  public synchronized void failMovesAfterUnmap(int errno, boolean isTaken) {
    lateErrno = errno;
    isHoleTaken = isTaken;
  }

  /**
   * Looks at what other threads have mapped and written.
   *
   * @return how many ranges there are
   * @throws AssertionError if another owner has written there
   */
  public synchronized int assertForeignIntact() {
    for (MemorySegment range : foreign) {
      for (long at = 0; at < range.byteSize(); at++) {
        if (range.get(ValueLayout.JAVA_BYTE, at) != FOREIGN_STAMP) {
          throw new AssertionError("foreign memory was written: address=" + (range.address() + at));
        }
      }
    }
    return foreign.size();
  }

  /** How many calls have been refused since {@link #failCalls}. */
  public synchronized int failureCount() {
    return failureCount;
  }

  /** How often a call was made, refused ones included. */
  public synchronized int callCount(Call call) {
    return counts.getOrDefault(call, 0);
  }

  /** Sets the answer of {@link #overcommits()}; true at first. */
  public synchronized void setOvercommits(boolean value) {
    overcommits = value;
  }

  /**
   * Pages are huge from now on. For programs that write all of their buffers: a fault for each
   * small page took most of their time.
   */
  public synchronized void makePagesHuge() {
    pagesAreHuge = true;
  }

  /**
   * Memory that is populated is resident from now on, and a call takes as long as it does. Else all
   * of it is noted, but only its first page is resident: gigabytes of zeros that nothing looks at
   * took a tenth of the time of all tests.
   */
  public synchronized void populateReally() {
    populatesReally = true;
  }

  /** A broken kernel: discard succeeds, and the contents are still there. For canaries. */
  public synchronized void forgetToDiscard() {
    forgetsToDiscard = true;
  }

  /** Something to do in each discard, without any lock of this class: for races. */
  public synchronized void beforeDiscard(@Nullable Runnable hook) {
    beforeDiscard = hook;
  }

  /** The same before memory is made accessible. */
  public synchronized void beforeAllow(@Nullable Runnable hook) {
    beforeAllow = hook;
  }

  /** The same before memory is populated. */
  public synchronized void beforePopulate(@Nullable Runnable hook) {
    beforePopulate = hook;
  }

  /** The same before the kernel is asked what is resident. */
  public synchronized void beforeResidence(@Nullable Runnable hook) {
    beforeResidence = hook;
  }

  /** Whether it is a kernel of 5.14 or later; true to begin with. */
  public synchronized void setCanPopulate(boolean value) {
    canPopulate = value;
  }

  /** Whether it is a kernel that names mappings; false to begin with. */
  public synchronized void setCanName(boolean value) {
    canName = value;
  }

  /** Names of all that is mapped, each once; empty for what has none. */
  public synchronized Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (SimulatedMapping mapping : mappings.values()) {
      names.addAll(mapping.names(mapping.address, mapping.sizeBytes));
    }
    return names;
  }

  /** The same of a range. */
  public synchronized Set<String> names(long address, long sizeBytes) {
    return mapping(Call.NAME, address, sizeBytes).names(address, sizeBytes);
  }

  /** How many mappings a kernel would need for what is mapped, which joins what it can. */
  public synchronized int joinedMappingCount() {
    return mappings.values().stream().mapToInt(SimulatedMapping::joinedCount).sum();
  }

  /** Sets the available memory of machine and container; without limits at first. */
  public synchronized void setMemoryFigures(Supplier<MemoryFigures> figures) {
    memoryFigures = figures;
  }

  /** Processors of each NUMA node. */
  public synchronized void setNodes(List<BitSet> processorsOfEach) {
    nodes = List.copyOf(processorsOfEach);
  }

  /** Processors that threads were bound to, in order. */
  public synchronized List<BitSet> boundTo() {
    return List.copyOf(boundTo);
  }

  /** Bytes of address space that are mapped. */
  public synchronized long mappedBytes() {
    return mappings.values().stream().mapToLong(mapping -> mapping.sizeBytes).sum();
  }

  /** Bytes that are accessible although the space reserved them without access. */
  public synchronized long accessibleBytes() {
    long bytes = 0;
    for (SimulatedMapping mapping : mappings.values()) {
      bytes += mapping.sizeBytes - mapping.bytesIn(SimulatedMapping.RESERVED);
    }
    return bytes;
  }

  /** Bytes that a call has populated or touched, really or not, and that have not gone back. */
  public synchronized long backedBytes() {
    long bytes = 0;
    for (SimulatedMapping mapping : mappings.values()) {
      bytes += mapping.bytesIn(SimulatedMapping.BACKED);
    }
    return bytes;
  }

  /**
   * Tells what calls were wrong since the last time.
   *
   * @throws AssertionError if a precondition was broken
   */
  public synchronized void assertNoComplaints() {
    List<String> found = List.copyOf(complaints);
    complaints.clear();
    if (!found.isEmpty()) {
      throw new AssertionError("preconditions of the operating system broken: " + found);
    }
  }

  /**
   * Unmaps what is left, so that the next test starts clean.
   *
   * @throws AssertionError if anything was left
   */
  public synchronized void assertNothingMapped() {
    List<String> left = new ArrayList<>();
    for (SimulatedMapping mapping : mappings.values()) {
      left.add(describe(mapping.address, mapping.sizeBytes));
      mapping.releaseRest(real);
    }
    mappings.clear();
    if (!left.isEmpty()) {
      throw new AssertionError("mappings leaked: " + left);
    }
  }

  /** A damaged allocator leaves its addresses mapped; how many mappings there were. */
  public synchronized int unmapWhatIsLeft() {
    int count = mappings.size();
    for (SimulatedMapping mapping : mappings.values()) {
      mapping.releaseRest(real);
    }
    mappings.clear();
    return count;
  }

  // ---- the operating system ----

  @Override
  public long pageSizeBytes() {
    return real.pageSizeBytes();
  }

  @Override
  public synchronized boolean overcommits() {
    return overcommits;
  }

  @Override
  public synchronized OperatingSystem named(String owner) {
    return canName ? new NamedOperatingSystem(this, owner) : this;
  }

  @Override
  public synchronized void name(long address, long sizeBytes, byte[] name) {
    SimulatedMapping mapping = mapping(Call.NAME, address, sizeBytes);
    String text = new String(name, 0, name.length - 1, StandardCharsets.US_ASCII);
    boolean isKernels = name[name.length - 1] == 0 && text.matches("[ -~&&[^\\\\`$\\[\\]]]{1,79}");
    require(isKernels, Call.NAME, address, sizeBytes, "not a name: " + text);
    if (failure(Call.NAME) == 0) {
      mapping.name(address, sizeBytes, text);
    }
  }

  @Override
  public synchronized long reserve(long sizeBytes, boolean lazy) {
    require(isWholePages(0, sizeBytes), Call.RESERVE, 0, sizeBytes, "size is not whole pages");
    int error = failure(Call.RESERVE);
    if (error != 0) {
      return error;
    }
    long address = real.reserve(sizeBytes, lazy);
    if (address > 0) {
      var _ = pagesAreHuge ? real.adviseHuge(address, sizeBytes, true) : 0;
      byte state = lazy ? SimulatedMapping.LAZY : SimulatedMapping.RESERVED;
      mappings.put(address, new SimulatedMapping(address, sizeBytes, pageSizeBytes(), state));
    }
    return address;
  }

  @Override
  public synchronized int release(long address, long sizeBytes) {
    SimulatedMapping mapping = mapping(Call.RELEASE, address, sizeBytes);
    boolean whole = mapping.address == address && mapping.sizeBytes == sizeBytes;
    boolean isAllowed = whole || mapping.bytesIn(SimulatedMapping.FOREIGN) > 0;
    require(isAllowed, Call.RELEASE, address, sizeBytes, "only a part of a mapping");
    int own = ~(SimulatedMapping.FOREIGN | SimulatedMapping.RELEASED);
    requireState(mapping, Call.RELEASE, address, sizeBytes, own);
    int error = failure(Call.RELEASE);
    if (error != 0) {
      return error;
    }
    mapping.set(address, sizeBytes, SimulatedMapping.RELEASED);
    if (whole || mapping.isGone()) {
      mappings.remove(mapping.address);
    }
    return real.release(address, sizeBytes);
  }

  @Override
  public int allow(long address, long sizeBytes) {
    Runnable hook;
    synchronized (this) {
      hook = beforeAllow;
    }
    if (hook != null) {
      hook.run();
    }
    return allowNow(address, sizeBytes);
  }

  private synchronized int allowNow(long address, long sizeBytes) {
    SimulatedMapping mapping = mapping(Call.ALLOW, address, sizeBytes);
    int expected = SimulatedMapping.RESERVED | SimulatedMapping.RELUCTANT;
    requireState(mapping, Call.ALLOW, address, sizeBytes, expected);
    int error = failure(Call.ALLOW);
    if (error != 0) {
      return error;
    }
    int result = real.allow(address, sizeBytes); // first: it may find the Java heap full
    if (result == 0) {
      mapping.set(address, sizeBytes, SimulatedMapping.LAZY);
    }
    return result;
  }

  @Override
  public synchronized int revoke(long address, long sizeBytes) {
    SimulatedMapping mapping = mapping(Call.REVOKE, address, sizeBytes);
    int error = isStuck(address, sizeBytes) ? -Errno.EINVAL : failure(Call.REVOKE);
    int result = error != 0 ? error : real.revoke(address, sizeBytes);
    mapping.set(
        address, sizeBytes, result != 0 ? SimulatedMapping.RELUCTANT : SimulatedMapping.RESERVED);
    if (result == 0) {
      mapping.name(address, sizeBytes, ""); // it is mapped afresh
    }
    return result;
  }

  @Override
  public int discard(long[] addresses, long[] sizesBytes, int count) {
    Runnable hook;
    synchronized (this) {
      hook = beforeDiscard;
    }
    if (hook != null) {
      hook.run();
    }
    return discardNow(addresses, sizesBytes, count);
  }

  private synchronized int discardNow(long[] addresses, long[] sizesBytes, int count) {
    require(count > 0, Call.DISCARD, 0, 0, "no ranges");
    for (int i = 0; i < count; i++) {
      SimulatedMapping mapping = mapping(Call.DISCARD, addresses[i], sizesBytes[i]);
      requireState(mapping, Call.DISCARD, addresses[i], sizesBytes[i], SimulatedMapping.ACCESSIBLE);
    }
    int error = failure(Call.DISCARD);
    for (int i = 0; i < count && error == 0; i++) {
      error = isStuck(addresses[i], sizesBytes[i]) ? -Errno.EINVAL : 0;
    }
    // A kernel that refuses a batch has done some of it.
    int doneCount = error == 0 ? count : count / 2;
    for (int i = 0; i < doneCount; i++) {
      mapping(Call.DISCARD, addresses[i], sizesBytes[i])
          .set(addresses[i], sizesBytes[i], SimulatedMapping.LAZY);
    }
    if (!forgetsToDiscard && doneCount > 0) {
      int result = real.discard(addresses, sizesBytes, doneCount);
      return error != 0 ? error : result;
    }
    return error;
  }

  @Override
  public int populate(long address, long sizeBytes) {
    Runnable hook;
    synchronized (this) {
      hook = beforePopulate;
    }
    if (hook != null) {
      hook.run();
    }
    return populateNow(address, sizeBytes);
  }

  private synchronized int populateNow(long address, long sizeBytes) {
    SimulatedMapping mapping = mapping(Call.POPULATE, address, sizeBytes);
    requireState(mapping, Call.POPULATE, address, sizeBytes, SimulatedMapping.ACCESSIBLE);
    int error = failure(Call.POPULATE);
    if (error != 0) {
      return error;
    }
    mapping.set(address, sizeBytes, SimulatedMapping.BACKED);
    return real.populate(address, populatesReally ? sizeBytes : pageSizeBytes());
  }

  @Override
  public synchronized boolean canPopulate() {
    return canPopulate;
  }

  @Override
  public synchronized void touch(long address, long sizeBytes) {
    SimulatedMapping mapping = mapping(Call.TOUCH, address, sizeBytes);
    requireState(mapping, Call.TOUCH, address, sizeBytes, SimulatedMapping.ACCESSIBLE);
    counts.merge(Call.TOUCH, 1, Integer::sum);
    mapping.set(address, sizeBytes, SimulatedMapping.BACKED);
    real.touch(address, populatesReally ? sizeBytes : pageSizeBytes());
  }

  @Override
  public synchronized int adviseHuge(long address, long sizeBytes, boolean huge) {
    var _ = mapping(Call.ADVISE_HUGE, address, sizeBytes);
    int error = failure(Call.ADVISE_HUGE);
    return error != 0 ? error : real.adviseHuge(address, sizeBytes, huge);
  }

  @Override
  public long hugeBytes(long[] addresses, long[] sizesBytes, int count) {
    return real.hugeBytes(addresses, sizesBytes, count);
  }

  @Override
  public long absentBytes(long address, long sizeBytes) {
    Runnable hook;
    synchronized (this) {
      hook = beforeResidence;
    }
    if (hook != null) {
      hook.run();
    }
    return absentBytesNow(address, sizeBytes);
  }

  /** No lock keeps an owner from giving its addresses back meanwhile: no reason to complain. */
  private synchronized long absentBytesNow(long address, long sizeBytes) {
    require(
        isWholePages(address, sizeBytes), Call.RESIDENCE, address, sizeBytes, "not whole pages");
    Map.Entry<Long, SimulatedMapping> entry = mappings.floorEntry(address);
    boolean isMapped = entry != null && entry.getValue().contains(address, sizeBytes);
    return failure(Call.RESIDENCE) != 0 || !isMapped ? -1 : real.absentBytes(address, sizeBytes);
  }

  @Override
  public long threadFaults() {
    return real.threadFaults();
  }

  @Override
  public int currentNode() {
    return 0;
  }

  @Override
  public synchronized BitSet processorsOfNode(int node) {
    return node < nodes.size() ? (BitSet) nodes.get(node).clone() : new BitSet();
  }

  @Override
  public synchronized int nodeCount() {
    return nodes.size();
  }

  @Override
  public synchronized int bindThread(BitSet processors) {
    int error = failure(Call.BIND);
    if (error == 0) {
      boundTo.add((BitSet) processors.clone());
    }
    return error;
  }

  @Override
  public synchronized MemoryFigures memoryFigures() {
    return memoryFigures.get();
  }

  @Override
  public synchronized int move(long address, long sizeBytes, long toAddress) {
    int accessible = SimulatedMapping.ACCESSIBLE;
    SimulatedMapping from = mapping(Call.MOVE, address, sizeBytes);
    requireState(from, Call.MOVE, address, sizeBytes, accessible);
    SimulatedMapping to = mapping(Call.MOVE, toAddress, sizeBytes);
    requireState(to, Call.MOVE, toAddress, sizeBytes, accessible);
    boolean apart = address + sizeBytes <= toAddress || toAddress + sizeBytes <= address;
    require(apart, Call.MOVE, address, sizeBytes, "overlaps " + describe(toAddress, sizeBytes));
    int error = failure(Call.MOVE);
    if (error != 0) {
      if (error == -Errno.ENOTRECOVERABLE) {
        to.set(toAddress, sizeBytes, SimulatedMapping.FOREIGN);
        // A thread that touches it now crashes; it stays mapped so, as real foreign memory would.
        return real.revoke(toAddress, sizeBytes) == 0 ? error : -Errno.ENOMEM;
      }
      return error;
    }
    if (lateErrno != 0) {
      return new LateRefusal(to).move(address, sizeBytes, toAddress);
    }
    to.set(toAddress, sizeBytes, SimulatedMapping.BACKED);
    to.name(toAddress, sizeBytes, from.name(address));
    from.set(address, sizeBytes, SimulatedMapping.LAZY);
    return real.move(address, sizeBytes, toAddress);
  }

  /** The calls to the real kernel, and their answers; {@link MoveCalls} is the real one. */
  private final class LateRefusal implements MoveCalls {
    private final SimulatedMapping to;

    LateRefusal(SimulatedMapping to) {
      this.to = to;
    }

    @Override
    public int remap(long address, long sizeBytes, long toAddress) {
      failureCount++;
      if (isHoleTaken) {
        to.set(toAddress, sizeBytes, SimulatedMapping.FOREIGN);
        MemorySegment theirs = NativeMemory.segment(toAddress, sizeBytes);
        foreign.add(theirs.fill(FOREIGN_STAMP));
      }
      return -lateErrno;
    }

    @Override
    public boolean fillHole(long address, long sizeBytes) {
      if (isHoleTaken) {
        return false;
      }
      to.set(address, sizeBytes, SimulatedMapping.LAZY);
      to.name(address, sizeBytes, "");
      return real.discard(new long[] {address}, new long[] {sizeBytes}, 1) == 0;
    }
  }

  @Override
  public synchronized long mostMappings() {
    return mostMappings;
  }

  @Override
  public long mappingCount() {
    return real.mappingCount();
  }

  /** Sets the answer of {@link #mostMappings()}. */
  public synchronized void setMostMappings(long count) {
    mostMappings = count;
  }

  private int failure(Call call) {
    counts.merge(call, 1, Integer::sum);
    callCount++;
    int errno = alwaysErrno.getOrDefault(call, 0);
    if (callCount >= failFrom && callCount < failTo) {
      errno = failErrno;
    }
    failureCount += errno != 0 ? 1 : 0;
    return -errno;
  }

  private SimulatedMapping mapping(Call call, long address, long sizeBytes) {
    require(isWholePages(address, sizeBytes), call, address, sizeBytes, "not whole pages");
    Map.Entry<Long, SimulatedMapping> entry = mappings.floorEntry(address);
    if (entry == null || !entry.getValue().contains(address, sizeBytes)) {
      throw complain(call, address, sizeBytes, "not mapped");
    }
    return entry.getValue();
  }

  private boolean isWholePages(long address, long sizeBytes) {
    return sizeBytes > 0 && ((address | sizeBytes) & (real.pageSizeBytes() - 1)) == 0;
  }

  private void requireState(
      SimulatedMapping mapping, Call call, long address, long sizeBytes, int expected) {
    String complaint = mapping.complaintUnless(address, sizeBytes, expected);
    require(complaint.isEmpty(), call, address, sizeBytes, complaint);
  }

  private void require(
      boolean condition, Call call, long address, long sizeBytes, String complaint) {
    if (!condition) {
      throw complain(call, address, sizeBytes, complaint);
    }
  }

  private AssertionError complain(Call call, long address, long sizeBytes, String complaint) {
    String text = call + " " + describe(address, sizeBytes) + ": " + complaint;
    complaints.add(text);
    return new AssertionError(text);
  }

  private static String describe(long address, long sizeBytes) {
    return "address=0x" + Long.toHexString(address) + ", sizeBytes=" + sizeBytes;
  }
}
