package dev.arenal.os;

import java.util.BitSet;

/**
 * The calls that Arenal makes to the kernel: the one door to native memory.
 *
 * <p>Nothing here throws for a kernel's refusal: calls that can fail return a negative {@code
 * errno}, so that the caller, which knows the name of the space and its figures, words the error. A
 * simulated implementation fails any call on demand in the tests.
 *
 * <p>Memory is in one of three states, and each method is a transition between them:
 *
 * <ul>
 *   <li><em>reserved</em>: address space without access and without a promise of memory;
 *   <li><em>lazy</em>: accessible, backed page by page on first touch;
 *   <li><em>backed</em>: lazy, and its pages are there.
 * </ul>
 *
 * Addresses and sizes are multiples of {@link #pageSizeBytes()}, sizes are positive. All methods
 * are thread-safe.
 */
public interface OperatingSystem {
  /** Size of an OS page in bytes. */
  default long pageSizeBytes() {
    return kernel().pageSizeBytes();
  }

  /** Whether the kernel lets programs map more than it could ever back (heuristic or always). */
  default boolean overcommits() {
    return kernel().overcommits();
  }

  /**
   * The same for one owner, whose name is in {@code /proc/self/smaps} with all that it reserves: as
   * {@code [anon:arenal: tenants]}. A hint: Linux can since 5.17 if it was built with {@code
   * CONFIG_ANON_VMA_NAME}; the name of an owner says nothing elsewhere. Costs a call to the kernel
   * with {@link #reserve}, {@link #revoke} and {@link #move}, where it can, and none elsewhere.
   */
  default OperatingSystem named(String owner) {
    return this;
  }

  /** Names whole pages, all of them mapped, for {@link #named}; the name ends with a zero. */
  default void name(long address, long sizeBytes, byte[] name) {
    kernel().name(address, sizeBytes, name);
  }

  /**
   * The one to which all calls go that an implementation does not have itself; the same for all
   * owners of it. One that returns itself has all of them ({@code ForwardingTest}).
   */
  default OperatingSystem kernel() {
    return this;
  }

  /**
   * Reserves address space. Its pages will be small, also where huge ones are for everybody, until
   * {@link #adviseHuge} says otherwise.
   *
   * @param lazy true: the range is lazy at once; false: it is reserved
   * @return the address, or a negative errno
   */
  default long reserve(long sizeBytes, boolean lazy) {
    return kernel().reserve(sizeBytes, lazy);
  }

  /** Unmaps a range that {@link #reserve} returned, or a part of it. */
  default int release(long address, long sizeBytes) {
    return kernel().release(address, sizeBytes);
  }

  /**
   * Reserved to lazy; counts against the kernel's commit limit where it keeps one. Part of a
   * mapping becomes one of its own: {@link Errno#TOO_MANY_MAPPINGS} says that nothing has been
   * done, since the rest of the process needs the remaining mappings.
   */
  default int allow(long address, long sizeBytes) {
    return kernel().allow(address, sizeBytes);
  }

  /**
   * Any state to reserved; contents and the kernel's promise end. Pages are small from then on.
   * {@link Errno#TOO_MANY_MAPPINGS} as from {@link #allow}.
   */
  default int revoke(long address, long sizeBytes) {
    return kernel().revoke(address, sizeBytes);
  }

  /**
   * Backed to lazy, in each of {@code count} ranges: the pages go back, the next read sees zero.
   */
  default int discard(long[] addresses, long[] sizesBytes, int count) {
    return kernel().discard(addresses, sizesBytes, count);
  }

  /**
   * Lazy to backed, contents unchanged. A hint: where the kernel has no such call, zero is returned
   * and pages come on first touch.
   */
  default int populate(long address, long sizeBytes) {
    return kernel().populate(address, sizeBytes);
  }

  /** Whether the kernel has a call for {@link #populate}: Linux 5.14 and later. */
  default boolean canPopulate() {
    return kernel().canPopulate();
  }

  /**
   * Lazy to backed by touching each page, contents unchanged even where other threads write: for
   * kernels without {@link #populate}. Never returns an error: where there is no memory, the kernel
   * ends the process. The caller keeps the range accessible.
   */
  default void touch(long address, long sizeBytes) {
    kernel().touch(address, sizeBytes);
  }

  /**
   * Says whether pages of a lazy or backed range shall be huge from now on, where the kernel has
   * transparent huge pages; those that are there stay what they are.
   *
   * @return 0, or a negative errno: a kernel without huge pages says {@link Errno#EINVAL}
   */
  default int adviseHuge(long address, long sizeBytes, boolean huge) {
    return kernel().adviseHuge(address, sizeBytes, huge);
  }

  /**
   * Bytes in huge pages of the mappings that any of {@code count} ranges touch; -1 if the kernel
   * does not say. Reads what it has to say of all mappings: up to some 10 ms per GiB of the process
   * that is in small pages.
   */
  default long hugeBytes(long[] addresses, long[] sizesBytes, int count) {
    return kernel().hugeBytes(addresses, sizesBytes, count);
  }

  /**
   * Bytes of a range that are not in physical memory; -1 if the kernel does not say. Looks at every
   * page that is: some hundred microseconds for a GiB.
   */
  default long absentBytes(long address, long sizeBytes) {
    return kernel().absentBytes(address, sizeBytes);
  }

  /** Page faults of the calling platform thread so far; -1 if the kernel does not say. */
  default long threadFaults() {
    return kernel().threadFaults();
  }

  /** NUMA node on which the calling thread runs; 0 if the kernel does not say. */
  default int currentNode() {
    return kernel().currentNode();
  }

  /** Processors of a NUMA node that this process may use; empty if there is no such node. */
  default BitSet processorsOfNode(int node) {
    return kernel().processorsOfNode(node);
  }

  /** Number of NUMA nodes with memory; 1 if the kernel does not say. */
  default int nodeCount() {
    return kernel().nodeCount();
  }

  /**
   * Lets the calling platform thread run on these processors only.
   *
   * @return 0, or a negative errno
   */
  default int bindThread(BitSet processors) {
    return kernel().bindThread(processors);
  }

  /** The kernel's figures of the memory that this process may still get, now. */
  default MemoryFigures memoryFigures() {
    return kernel().memoryFigures();
  }

  /**
   * Moves the pages of a lazy range to another lazy range, which loses what it has; the first one
   * is lazy and without pages then. No byte is copied: some microseconds for 2 MiB, where giving
   * back and faulting in again takes 700 (ADR 0013). Both may be parts of mappings, and must not
   * overlap. Each may become a mapping of its own, of which the kernel allows a number only ({@code
   * vm.max_map_count}).
   *
   * @return 0, or a negative errno: nothing has moved then. After {@link Errno#ENOTRECOVERABLE} the
   *     addresses of the second range may belong to another mapping and must not be used any more.
   */
  default int move(long address, long sizeBytes, long toAddress) {
    return kernel().move(address, sizeBytes, toAddress);
  }

  /** How many mappings the kernel allows this process. */
  default long mostMappings() {
    return kernel().mostMappings();
  }

  /**
   * How many mappings the kernel may need for all that is reserved here: reservations, and parts of
   * them that {@link #allow}, {@link #revoke}, {@link #move} and {@link #adviseHuge} make mappings
   * of their own.
   */
  default long mappingCount() {
    return kernel().mappingCount();
  }

  /** How many of them there may be: half of {@link #mostMappings()}; the rest is the program's. */
  default long mappingLimit() {
    return mostMappings() / 2;
  }

  /**
   * Whether memory may be moved: a faster way must leave the mappings to operations that need them.
   */
  default boolean hasMappingsToMove() {
    return mappingCount() < mappingLimit() / 2;
  }

  /** The name of a refusal, with the figures that say why if it is {@code TOO_MANY_MAPPINGS}. */
  default String describe(long errno) {
    return Math.abs(errno) == Errno.TOO_MANY_MAPPINGS
        ? Errno.name(errno)
            + ", mappings="
            + mappingCount()
            + ", mappingLimit="
            + mappingLimit()
            + ", maxMapCount="
            + mostMappings()
        : Errno.name(errno);
  }

  /** Advice for the message of addresses that were refused. */
  static String adviceOnAddresses(long errno) {
    return Math.abs(errno) == Errno.TOO_MANY_MAPPINGS
        ? "the rest of the kernel's mappings is left to the program: raise vm.max_map_count"
        : "see ulimit -v and vm.overcommit_memory, or ask for less";
  }

  /**
   * The operating system this JVM runs on.
   *
   * @throws UnsupportedOperationException if it is not a Linux that Arenal knows
   */
  static OperatingSystem current() {
    return Platform.current();
  }

  /** Has {@link #current} made beside the caller, which needs it soon; no effect if it is there. */
  static void prepare() {
    Platform.prepare();
  }
}
