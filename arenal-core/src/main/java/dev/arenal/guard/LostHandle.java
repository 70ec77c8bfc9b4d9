package dev.arenal.guard;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * The work that is done when the handle of an owner is lost without a close: its memory goes back,
 * and a warning in the JDK's logging says so, once.
 *
 * <p>A handle is lost where garbage is collected: when the Java heap is full, most likely. A
 * cleaner forgets its action, whatever that ends by. So an action that ends for want of Java heap
 * is tried again here, by the thread of the cleaner, until it succeeds.
 */
public abstract class LostHandle implements Runnable {
  private static final long FIRST_WAIT_MILLIS = 10;
  private static final long LONGEST_WAIT_MILLIS = 1000;

  /** A logger is the program's code, and may have reasons of its own. */
  private static final int MOST_WARNINGS = 10;

  private volatile boolean isCancelled;
  private Cleaner.@Nullable Cleanable cleanable;

  /** Of the thread that made the handle; null if that is not known. */
  private final @Nullable BirthStack stack;

  private final String made;

  /**
   * Watches nothing yet.
   *
   * @param stack on which the handle was made, to be logged with the warning; null if not known
   * @param made what was done there, as the log says it
   */
  protected LostHandle(@Nullable BirthStack stack, String made) {
    this.stack = stack;
    this.made = made;
  }

  /**
   * Gives back what it can; again, if it ended by an error of the JVM. That it was lost is warned
   * of whatever this throws.
   */
  protected abstract void giveBack();

  /**
   * The text of the warning, or null if there is nothing to warn of; again, if that or the logging
   * ended by an error of the JVM.
   */
  protected abstract @Nullable String report();

  /** Where the handle was made; null if that is not known. */
  protected final @Nullable StackTraceElement place() {
    return stack == null ? null : stack.place();
  }

  /** The same for a message, behind other values. */
  protected final String placeInMessage() {
    return stack == null ? "" : ", place=" + stack.place();
  }

  /** Has a handle watched, to which {@code lost} must not refer. */
  protected static <T extends LostHandle> T watch(Object handle, T lost) {
    LostHandle watching = lost;
    watching.cleanable = DaemonThreads.cleaner().register(handle, lost);
    return lost;
  }

  /** The handle was closed. */
  public final void cancel() {
    isCancelled = true;
    if (cleanable != null) {
      cleanable.clean();
    }
  }

  /** Called by the cleaner. */
  @Override
  public final void run() {
    for (int i = 0; !isCancelled && !isGivenBack(); i++) {
      sleep(i);
    }
    for (int i = 0; !isCancelled && i < MOST_WARNINGS && !isSaid(); i++) {
      sleep(i);
    }
  }

  private boolean isGivenBack() {
    try {
      giveBack();
      return true;
    } catch (VirtualMachineError e) {
      return false;
    } catch (RuntimeException | Error e) {
      return true; // it will not do next time either
    }
  }

  private boolean isSaid() {
    try {
      String report = report();
      if (report != null) {
        System.getLogger("dev.arenal")
            .log(
                System.Logger.Level.WARNING,
                report,
                stack == null ? null : stack.toThrowable(made));
      }
      return true;
    } catch (VirtualMachineError e) {
      return false;
    } catch (RuntimeException | Error e) {
      return true;
    }
  }

  private static void sleep(int turn) {
    try {
      Thread.sleep(Math.min(LONGEST_WAIT_MILLIS, FIRST_WAIT_MILLIS << Math.min(turn, 10)));
    } catch (InterruptedException | OutOfMemoryError e) {
      Thread.onSpinWait(); // no code has a reason to interrupt it
    }
  }
}
