package dev.arenal.callbacks;

import dev.arenal.pretouch.Pretouch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Something that a program does once in a callback of a pretouch, whichever of its threads makes
 * the call; what goes wrong in it is told to the test, and does not end the pretouch.
 */
public final class PretouchCallback {
  /** Longer than progress is told after, so that it is told while there is work left. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(22);

  private static final long NOT_STARTED = Long.MIN_VALUE;

  private static final long MOST_MILLIS = 20_000;

  /** Which of the calls. */
  public enum Place {
    /** The question whether to give up. */
    CANCELLATION,
    /** Told how far it is, with work left. */
    PROGRESS,
    /** Told that all is there. */
    END
  }

  /** The thread that acts. */
  public enum By {
    /** The thread that is called. */
    ITSELF,
    /** A thread for which the called one waits. */
    ANOTHER
  }

  private final Place place;
  private final By by;
  private final Runnable action;
  private final AtomicBoolean isCalled = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** An action for one place. */
  public PretouchCallback(Place place, By by, Runnable action) {
    this.place = place;
    this.by = by;
    this.action = action;
  }

  /** To be run before memory is populated: the first parts take so long that progress is told. */
  public static Runnable slowly() {
    AtomicLong startNanos = new AtomicLong(NOT_STARTED);
    return () -> {
      startNanos.compareAndSet(NOT_STARTED, System.nanoTime());
      long restNanos = startNanos.get() + SLOW_NANOS - System.nanoTime();
      while (restNanos > 0) {
        LockSupport.parkNanos(restNanos);
        restNanos = startNanos.get() + SLOW_NANOS - System.nanoTime();
      }
    };
  }

  /** The settings with this as callback. */
  public Pretouch on(Pretouch settings) {
    return with(settings, this::callOnce);
  }

  /** The settings with a callback that throws; that ends the pretouch. */
  public static Pretouch throwing(Pretouch settings, Place place, Throwable trouble) {
    PretouchCallback callback = new PretouchCallback(place, By.ITSELF, () -> {});
    return callback.with(settings, () -> sneak(trouble));
  }

  /** The settings with a callback that does something each time, and may throw. */
  public static Pretouch each(Pretouch settings, Place place, Runnable call) {
    return new PretouchCallback(place, By.ITSELF, () -> {}).with(settings, call);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable trouble) throws E {
    throw (E) trouble;
  }

  private Pretouch with(Pretouch settings, Runnable call) {
    return switch (place) {
      case CANCELLATION ->
          settings.cancelWhen(() -> {
            call.run();
            return false;
          });
      case PROGRESS ->
          settings.onProgress((done, total) -> {
            if (done < total) {
              call.run();
            }
          });
      case END ->
          settings.onProgress((done, total) -> {
            if (done >= total) {
              call.run();
            }
          });
    };
  }

  private void callOnce() {
    if (isCalled.compareAndSet(false, true)) {
      failure.set(by == By.ITSELF ? failureOf(action) : inAnotherThread(action));
    }
  }

  /** An error if it was not called, or if something has gone wrong in it. */
  public void assertDone() {
    if (!isCalled.get()) {
      throw new AssertionError("callback was not called: place=" + place);
    }
    Throwable trouble = failure.get();
    if (trouble != null) {
      throw new AssertionError("callback has failed: place=" + place + ", by=" + by, trouble);
    }
  }

  /** The exception of a call, or null. */
  public static @Nullable Throwable failureOf(Runnable call) {
    try {
      call.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** Waits for some seconds at most: a test must not hang for ever. */
  public static @Nullable Throwable inAnotherThread(Runnable call) {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread = Thread.ofPlatform().daemon().start(() -> thrown.set(failureOf(call)));
    try {
      thread.join(MOST_MILLIS);
    } catch (InterruptedException e) {
      return e;
    }
    if (thread.isAlive()) {
      AssertionError hanging = new AssertionError("the other thread hangs");
      hanging.setStackTrace(thread.getStackTrace());
      return hanging;
    }
    return thrown.get();
  }
}
