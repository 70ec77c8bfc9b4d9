package dev.arenal.netty;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Initializes {@link Memory}, and what it needs of the JDK, before there is a buffer, in a thread
 * of its own, whose stack is long enough: a class whose initializer has ended by an error can never
 * be used again, and the first write of a program may come at the end of a stack, or where native
 * access is denied.
 */
final class FirstAccess {
  private static final long STACK_BYTES = 1 << 20;
  private static final int HEAP_PARTS = 32;
  private static final int HEAP_PART_BYTES = 16 << 10;

  private static volatile boolean isDone;

  private FirstAccess() {}

  /**
   * Does nothing the second time.
   *
   * @throws IllegalCallerException if native access is denied to this module
   * @throws OutOfMemoryError if the Java heap is full, or there is no thread more; the next call
   *     tries again
   * @throws StackOverflowError if the stack is at its end; the next call tries again
   */
  static void ensure() {
    if (!isDone) {
      initialize();
    }
  }

  private static synchronized void initialize() {
    Initializer initializer = new Initializer();
    Thread thread = new Thread(null, initializer, "arenal-link", STACK_BYTES, false);
    thread.setDaemon(true);
    thread.start();
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    initializer.rethrow();
    isDone = true;
  }

  /** Uses each kind of access once: the JDK has classes and handles for each, made at first use. */
  private static void link() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(32);
      long address = block.address();
      Memory.setByte(address, Memory.getByte(address));
      Memory.setShort(address, Memory.getShort(address));
      Memory.setShortLE(address, Memory.getShortLE(address));
      Memory.setInt(address, Memory.getInt(address));
      Memory.setIntLE(address, Memory.getIntLE(address));
      Memory.setLong(address, Memory.getLong(address));
      Memory.setLongLE(address, Memory.getLongLE(address));
      byte[] bytes = new byte[8];
      Memory.copy(address, bytes, 0, bytes.length);
      Memory.copy(bytes, 0, address, bytes.length);
      Memory.copy(address, address + 8, bytes.length);
      Memory.copy(address, block, bytes.length);
      Memory.copy(block, address, bytes.length);
      Memory.zero(address, bytes.length);
    }
  }

  /** Its failure is read after its thread has ended. */
  private static final class Initializer implements Runnable {
    private @Nullable Throwable failure;

    /** A field, so that no compiler finds it unused. */
    @SuppressWarnings("unused")
    private byte @Nullable [] @Nullable [] heap;

    @Override
    public void run() {
      try {
        heap = new byte[HEAP_PARTS][HEAP_PART_BYTES]; // there is room, or nothing is begun
        heap = null;
        var _ = SharedDelay.parse(null);
        var _ = Everything.segment(); // here and not in an initializer, where it is denied
        link();
      } catch (Throwable e) { // for the caller
        failure = e;
      }
    }

    void rethrow() {
      heap = null;
      if (failure instanceof IllegalCallerException denied) {
        Module module = FirstAccess.class.getModule();
        String names = module.isNamed() ? "dev.arenal," + module.getName() : "ALL-UNNAMED";
        throw new IllegalCallerException(
            "native access is denied: module="
                + (module.isNamed() ? module.getName() : names)
                + " (add --enable-native-access="
                + names
                + " to the java command)",
            denied);
      }
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw new IllegalStateException("memory cannot be accessed", failure);
      }
    }
  }
}
