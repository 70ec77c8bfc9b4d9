package dev.arenal.elastic;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An arena whose memory comes from an {@link ElasticSpace} and goes back to it, and from there to
 * the operating system, when the arena is closed.
 *
 * <p>An {@link Arena} in every respect: the same lifetimes, checks and exceptions as {@link
 * Arena#ofConfined()} or {@link Arena#ofShared()}, zeroed memory, and usable wherever an arena is
 * accepted. The difference is the cost: an allocation moves a pointer.
 *
 * <p><b>Sizes:</b> a block takes its size rounded up to a multiple of 8 bytes, at an address that
 * is a multiple of 8 at least. A block can be as large as the space allows. <b>Threading:</b> a
 * confined arena serves its owner thread only, a shared arena any thread.
 *
 * <p>An arena that is never closed keeps its memory, and its space from being closed. A thread
 * should close its confined arenas before it ends: no other thread can. Memory of an arena whose
 * thread has ended stays until the close of the space, which such an arena does not prevent.
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
   * <p><b>Effect:</b> later allocations of this arena may return the same memory, zeroed.
   * Neighbouring free blocks are joined. Whole granules of a large free range go back to the
   * operating system, except in the commit mode {@code PROTECT} and with the policy {@code NONE}.
   * Some stay for the next allocations: a sixteenth of the arena, and, for all arenas of a space
   * together, as much as its reserve. The JVM still allows access through the segment, and through
   * others over the same memory: such an access is an error of the program that nothing detects.
   * <b>Cost:</b> some tens of nanoseconds, however many free blocks there are; next to free ranges
   * of more than 2 KiB, logarithmic in their number; a system call if a granule goes back. While an
   * arena has free blocks, its allocations look there first.
   *
   * @param block a whole segment that {@link #allocate} of this arena returned; a part of one is
   *     not detected, and splits the block
   * @throws IllegalArgumentException if the segment is not memory that this arena has handed out,
   *     or if any byte of it has been given back already; nothing has changed then
   * @throws IllegalStateException if the arena is closed, or the space is damaged
   * @throws WrongThreadException if the arena is confined to another thread
   */
  void deallocate(MemorySegment block);

  /**
   * Allocates a block of {@code byteSize} zeroed bytes aligned to {@code byteAlignment}.
   *
   * <p><b>Cost:</b> a few nanoseconds and no garbage; now and then a granule is committed or a
   * chunk is taken. <b>Waiting:</b> before it refuses a request for which other owners of the
   * budget could make room, this thread calls the reclaimers of the budget, without any lock, and
   * waits for memory that other threads are just giving back or touching: some milliseconds as a
   * rule; no single wait is longer than ten seconds. An interrupt does not end the wait.
   *
   * @throws IllegalArgumentException if the size is negative or the alignment not a power of two
   * @throws IllegalStateException if the arena is closed, or is reset meanwhile, or the space is
   *     damaged
   * @throws WrongThreadException if the arena is confined to another thread
   * @throws dev.arenal.OutOfNativeMemoryError if the space, its budget or the operating system has
   *     no room; nothing has changed then, and the arena serves requests again once there is memory
   */
  @Override
  MemorySegment allocate(long byteSize, long byteAlignment);

  /**
   * Bytes in blocks that have not been given back, each rounded up to a multiple of 8, an empty one
   * to 8; 0 once the arena is closed. Any thread may ask: exact while no other thread uses the
   * arena, else a recent value.
   */
  long usedBytes();

  /**
   * Ends the lifetime of all segments, as {@link #close} does, and begins another round: the arena
   * stays open, and its next segments have another {@link #scope}.
   *
   * <p><b>Effect:</b> access through an earlier segment throws an {@code IllegalStateException}.
   * Cleanup actions run as with a close; until they have run, {@link #scope} is that of the ended
   * round, and not alive. The arena keeps its memory for the next round if that is one contiguous
   * piece, no larger than the {@linkplain ElasticSpaceBuilder#reserveBytes reserve} of its space,
   * and if the space has no 32-bit references, as a fixed one below 32 GiB has. Otherwise all of it
   * goes back to the space. Rounds of about the same size, up to the reserve, keep the memory of an
   * {@link ArenaGrowth#ADAPTIVE} arena from the third on. A report counts kept memory as committed
   * and free. <b>Threading:</b> an allocation of another thread during the reset returns a block of
   * the old or the new round, or throws an {@code IllegalStateException}. <b>Cost:</b> a confined
   * arena that keeps its memory takes no lock and makes no system call; it creates some objects on
   * the Java heap. A shared arena costs as much as the close of {@code Arena.ofShared()}. Used
   * memory is zeroed when it is handed out again.
   *
   * @throws IllegalStateException if the arena is closed, or a reset of another thread, for which
   *     this call waits, takes longer than a second; if a cleanup action of a reset calls this, or
   *     a segment is in use by a native call, or the space is damaged; nothing has changed then
   * @throws WrongThreadException if the arena is confined to another thread
   */
  void reset();

  /**
   * Ends the lifetime of all segments and gives all memory back to the space.
   *
   * @throws IllegalStateException if it is already closed, or a reset of another thread, for which
   *     this call waits, takes longer than a second; if a cleanup action of a reset calls this, or
   *     a segment is in use by a native call; nothing has changed then
   * @throws WrongThreadException if the arena is confined to another thread
   */
  @Override
  void close();
}
