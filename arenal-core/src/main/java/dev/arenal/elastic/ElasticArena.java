package dev.arenal.elastic;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An arena whose memory comes from an {@link ElasticSpace}. When the arena is closed, its memory
 * goes back to the space, and from there to the operating system.
 *
 * <p>It is an {@link Arena} in every respect: it has the lifetime, checks and exceptions of {@link
 * Arena#ofConfined()} or {@link Arena#ofShared()}, returns zeroed memory, and can be used wherever
 * an arena is accepted. The difference is the cost: an allocation moves a pointer.
 *
 * <p><b>Sizes:</b> a block takes its size rounded up to a multiple of 8 bytes, at an address that
 * is a multiple of 8 at least. A block can be as large as the space allows. <b>Threading:</b> a
 * confined arena serves its owner thread only, a shared arena any thread.
 *
 * <p>An arena that is never closed keeps its memory, and prevents the close of its space. A thread
 * should close its confined arenas before it ends: no other thread can. The memory of a confined
 * arena whose thread has ended stays until the space is closed, which such an arena does not
 * prevent.
 *
 * <p>An owner that works in rounds, such as a connection or a parser, {@linkplain #reset resets}
 * its arena after each.
 */
public sealed interface ElasticArena extends Arena permits ChunkedArena {
  /** The name it was opened with, or null. */
  @Nullable String name();

  /**
   * Gives a block back before the arena is closed, for reuse by this arena.
   *
   * <p><b>Effect:</b> later allocations of this arena may return the same memory, zeroed. Adjacent
   * free blocks are joined. Whole granules of a large free range go back to the operating system,
   * except in the commit mode {@code PROTECT} and with the policy {@code NONE}. Some stay committed
   * for the next allocations: a sixteenth of the arena, and, in all arenas of a space together, as
   * much as its reserve. The JVM still allows access through the segment, and through other
   * segments of the same memory. Such an access is an error of the program, and nothing detects it.
   * <b>Cost:</b> some tens of nanoseconds, however many free blocks there are; next to free ranges
   * of more than 2 KiB, logarithmic in the number of such ranges; a system call if a granule goes
   * back. While an arena has free blocks, its allocations look there first.
   *
   * @param block a whole segment that {@link #allocate} of this arena returned; a slice is not
   *     detected, and splits the block
   * @throws IllegalArgumentException if this arena has not handed out the memory of the segment, or
   *     any byte of it has been given back already; nothing has changed then
   * @throws IllegalStateException if the arena is closed, or the space is damaged
   * @throws WrongThreadException if the arena is confined to another thread
   */
  void deallocate(MemorySegment block);

  /**
   * Allocates a block of {@code byteSize} zeroed bytes aligned to {@code byteAlignment}.
   *
   * <p><b>Cost:</b> a few nanoseconds and no garbage; now and then a granule is committed or a
   * chunk is taken. <b>Waiting:</b> before a request is refused for which other owners of the
   * budget could make room, the calling thread calls the reclaimers of the budget, without holding
   * a lock, and waits for memory that other threads are giving back or touching. That takes some
   * milliseconds as a rule; no single wait is longer than ten seconds. An interrupt does not end
   * the wait.
   *
   * @throws IllegalArgumentException if the size is negative or the alignment not a power of two
   * @throws IllegalStateException if the arena is closed or is reset during the call, or the space
   *     is damaged
   * @throws WrongThreadException if the arena is confined to another thread
   * @throws dev.arenal.OutOfNativeMemoryError if the space, its budget or the operating system has
   *     no room; nothing has changed then, and the arena serves requests again once there is memory
   */
  @Override
  MemorySegment allocate(long byteSize, long byteAlignment);

  /**
   * Bytes in blocks that have not been given back, each rounded up to a multiple of 8, and at least
   * 8; 0 once the arena is closed. Any thread may call this. The value is exact while no other
   * thread uses the arena, and otherwise recent.
   */
  long usedBytes();

  /**
   * Ends the lifetime of all segments, as {@link #close} does, and begins another round: the arena
   * stays open, and the segments that it allocates from now on have a new {@link #scope}.
   *
   * <p><b>Effect:</b> access through an earlier segment throws an {@code IllegalStateException}.
   * Cleanup actions run as with a close; until they have run, {@link #scope} is that of the ended
   * round, which is not alive. The arena keeps its memory for the next round on two conditions: the
   * memory is one contiguous piece, no larger than the {@linkplain ElasticSpaceBuilder#reserveBytes
   * reserve} of the space; and the space has no 32-bit references, which a fixed space below 32 GiB
   * has. Otherwise all of it goes back to the space. If the rounds have about the same size, and no
   * more than the reserve, an {@link ArenaGrowth#ADAPTIVE} arena keeps its memory from the third
   * round on. A report counts kept memory as committed and free. <b>Threading:</b> an allocation of
   * another thread during the reset returns a block of the old or the new round, or throws an
   * {@code IllegalStateException}. <b>Cost:</b> the reset of a confined arena that keeps its memory
   * takes no lock and makes no system call; it creates some objects on the Java heap. The reset of
   * a shared arena costs as much as the close of {@code Arena.ofShared()}. Used memory is zeroed
   * when it is handed out again.
   *
   * @throws IllegalStateException if the arena is closed or the space is damaged, if a native call
   *     uses a segment, if a cleanup action of a reset calls this, or if the reset of another
   *     thread, for which this call waits, takes longer than a second; nothing has changed then
   * @throws WrongThreadException if the arena is confined to another thread
   */
  void reset();

  /**
   * Ends the lifetime of all segments and gives all memory back to the space.
   *
   * @throws IllegalStateException if the arena is already closed, if a native call uses a segment,
   *     if a cleanup action of a reset calls this, or if the reset of another thread, for which
   *     this call waits, takes longer than a second; nothing has changed then
   * @throws WrongThreadException if the arena is confined to another thread
   */
  @Override
  void close();
}
