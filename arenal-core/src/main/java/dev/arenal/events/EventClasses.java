package dev.arenal.events;

import dev.arenal.guard.SeparateStack;
import dev.arenal.guard.Warning;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.FlightRecorder;

/**
 * Initializes the classes of the events, where nothing can go wrong.
 *
 * <p>Once a recording has been started, the recorder gives each class of an event that is loaded a
 * static initializer, which registers the class. That takes more stack and more Java heap than a
 * thread may have left that gives memory back or is refused some; and a class whose initializer has
 * failed can never be used again. So no thread of the program comes to such a class before a {@link
 * SeparateStack} has initialized all of them. If the first recording of a process is started while
 * the library is in use, the first event, or those of the milliseconds after the start, are lost.
 */
final class EventClasses implements Runnable {
  private static final boolean IS_PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final String[] NAMES = {
    "Stall", "Harvest", "Uncommit", "Pretouch", "OutOfMemory", "Leak"
  };

  private static final String BROKEN =
      "events of the flight recorder are off: one of their classes could not be initialized"
          + " (the Java heap was full: start the program again)";

  private static final long TRY_AGAIN_NANOS = 1_000_000_000;

  /** When a thread may try to initialize them again: the Java heap may have been full. */
  private static final AtomicLong NEXT_TRY_NANOS = new AtomicLong(System.nanoTime());

  private static volatile boolean areReady;

  /** One of them has failed, for ever. */
  private static volatile boolean areBroken;

  private static volatile boolean isTold;

  static {
    // By a separate stack as well: that of a first use.
    if (IS_PRESENT && FlightRecorder.isInitialized()) {
      new EventClasses().run();
    }
  }

  private EventClasses() {}

  /** Whether the JDK has the flight recorder. */
  static boolean isRecorderPresent() {
    return IS_PRESENT;
  }

  /**
   * Whether events are emitted. If a recording has been started and they are not ready, another
   * thread begins to make them so.
   */
  static boolean areReady() {
    return areReady || (IS_PRESENT && FlightRecorder.isInitialized() && begin());
  }

  /** False in any case: the caller does not wait, since it may hold locks. */
  private static boolean begin() {
    long nanos = System.nanoTime();
    long nextNanos = NEXT_TRY_NANOS.get();
    if (!isTold
        && nanos - nextNanos >= 0
        && NEXT_TRY_NANOS.compareAndSet(nextNanos, nanos + TRY_AGAIN_NANOS)) {
      try {
        if (areBroken) {
          isTold = Warning.tell(BROKEN);
        } else {
          var _ = SeparateStack.start(new EventClasses());
        }
      } catch (OutOfMemoryError | StackOverflowError e) {
        return false; // nothing has begun, or it goes on without this thread
      }
    }
    return false;
  }

  @Override
  public void run() {
    String prefix = MemoryEvents.class.getName() + "$";
    try {
      for (String name : NAMES) {
        var _ = Class.forName(prefix + name, true, EventClasses.class.getClassLoader());
      }
      areReady = true;
    } catch (ClassNotFoundException | LinkageError e) {
      areBroken = true; // for ever; the rest of the library does not need them
    } catch (VirtualMachineError e) {
      // To be tried again, which ends as above if an initializer was in the middle.
      areReady = false;
    }
  }
}
