package dev.arenal.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/** The restricted operations on raw addresses that the layers above need, in one place. */
@SuppressWarnings("restricted") // this is the door
public final class NativeMemory {
  /** On its own: without native access it cannot be made, and the methods above say so. */
  private static final class Whole {
    static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    static final VarHandle WORDS = ValueLayout.JAVA_INT.varHandle();
    static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[8 << 10]);
  }

  /** In one piece: some fifty microseconds of memory that is there. */
  private static final long MOST_ZEROED_BYTES = 1 << 20;

  private NativeMemory() {}

  /** Has everything made that is needed later, where neither stack nor Java heap may be left. */
  public static void prepare() {
    var _ = Objects.requireNonNull(Whole.ZEROS);
  }

  /**
   * A segment over {@code sizeBytes} bytes at {@code address} that lives as long as {@code arena}.
   *
   * <p>No cleanup is attached: one per allocation would break escape analysis.
   *
   * @throws IllegalStateException if the arena is closed
   * @throws WrongThreadException if the arena is confined to another thread
   */
  public static MemorySegment segment(long address, long sizeBytes, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(sizeBytes, arena, null);
  }

  /** Throws as {@link #segment} does, and does nothing else. */
  public static void checkAccessible(Arena arena) {
    var _ = MemorySegment.NULL.reinterpret(0, arena, null);
  }

  /** The same for an arena confined to that thread; needs no Java heap where it does not throw. */
  @SuppressWarnings("ReferenceEquality") // a thread is what it is by identity
  public static void checkAccessible(Arena arena, Thread owner) {
    if (Thread.currentThread() != owner || !arena.scope().isAlive()) {
      checkAccessible(arena);
    }
  }

  /**
   * Does nothing where restricted methods are allowed to this module.
   *
   * @throws IllegalCallerException if not, with the flag that is missing
   */
  public static void checkAllowed() {
    try {
      var _ = MemorySegment.NULL.reinterpret(0);
    } catch (IllegalCallerException e) {
      Module module = NativeMemory.class.getModule();
      String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
      throw new IllegalCallerException(
          "native access is denied: module="
              + name
              + " (add --enable-native-access="
              + name
              + " to the java command)",
          e);
    }
  }

  /**
   * Fills memory with zero. The range must be accessible.
   *
   * <p>In steps, since a fill is one piece of native code, and a safepoint waits for its end. Each
   * step is as long as the rest allows, which the JIT compiler does not take for a counted loop:
   * those it leaves without a poll for a thousand turns. From a line to 8 KiB are copied from
   * zeros, since copying uses wider vectors than filling (ADR 0011).
   */
  public static void zero(long address, long sizeBytes) {
    if (sizeBytes > 64 && sizeBytes <= Whole.ZEROS.byteSize()) {
      MemorySegment.copy(Whole.ZEROS, 0, Whole.EVERYTHING, address, sizeBytes);
      return;
    }
    long done = 0;
    while (done < sizeBytes) {
      long step = Math.min(sizeBytes - done, MOST_ZEROED_BYTES);
      Whole.EVERYTHING.asSlice(address + done, step).fill((byte) 0);
      done += step;
    }
  }

  /**
   * Makes pages resident by adding zero to a word of each, atomically: no thread that writes there
   * meanwhile loses anything. The range must be accessible.
   */
  public static void touch(long address, long sizeBytes, long pageBytes) {
    for (long at = address; at < address + sizeBytes; at += pageBytes) {
      var _ = (int) Whole.WORDS.getAndAdd(Whole.EVERYTHING, at, 0);
    }
  }

  /** A segment over {@code sizeBytes} bytes at {@code address} that lives for ever. */
  public static MemorySegment segment(long address, long sizeBytes) {
    return Whole.EVERYTHING.asSlice(address, sizeBytes);
  }

  /**
   * Fills memory with zero, fast for a few words and for a few kilobytes: up to 32 bytes are stores
   * without a loop or a call, more than a line is copied from zeros, since copying uses the widest
   * vectors where filling does not (JDK 25: 18 against 37 ns for 2,000 bytes; ADR 0011). Stores for
   * a whole line would be faster yet, but each takes 700 nodes of the JIT compiler's budget, and
   * beyond that the arena is no longer escape-analysed.
   *
   * @param address a multiple of 16, with 64 bytes behind it that may be written
   * @param sizeBytes a multiple of 16; up to 64, more may be written than that: up to 16, 32 or 64
   */
  public static void zeroBlocks(long address, long sizeBytes) {
    if (sizeBytes > 64) {
      zeroByCopying(address, sizeBytes);
    } else {
      MemorySegment line = Whole.EVERYTHING.asSlice(address, 64); // constant: the checks fold away
      if (sizeBytes > 32) {
        line.fill((byte) 0);
      } else {
        line.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 0L);
        line.set(ValueLayout.JAVA_LONG_UNALIGNED, 8, 0L);
        if (sizeBytes > 16) {
          line.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, 0L);
          line.set(ValueLayout.JAVA_LONG_UNALIGNED, 24, 0L);
        }
      }
    }
  }

  /**
   * The same for up to 8 KiB, as fast for a few words.
   *
   * @param address a multiple of 16
   * @param sizeBytes rounded up to a multiple of 16
   */
  public static void zeroSlot(long address, long sizeBytes) {
    if (sizeBytes > 64) {
      zeroByCopying(address, sizeBytes);
    } else {
      for (long at = address; at < address + sizeBytes; at += 16) {
        Whole.EVERYTHING.set(ValueLayout.JAVA_LONG_UNALIGNED, at, 0L);
        Whole.EVERYTHING.set(ValueLayout.JAVA_LONG_UNALIGNED, at + 8, 0L);
      }
    }
  }

  private static void zeroByCopying(long address, long sizeBytes) {
    long done = 0;
    for (; sizeBytes - done > Whole.ZEROS.byteSize(); done += Whole.ZEROS.byteSize()) {
      MemorySegment.copy(Whole.ZEROS, 0, Whole.EVERYTHING, address + done, Whole.ZEROS.byteSize());
    }
    MemorySegment.copy(Whole.ZEROS, 0, Whole.EVERYTHING, address + done, sizeBytes - done);
  }
}
