package dev.arenal.guard;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stack on which a handle was made.
 *
 * <p>To take it costs about a microsecond; what it says is found out later, which costs some tens.
 * Before that it refers to the classes of its frames, and so to their class loaders: a handle that
 * only a class of such a loader has would never be lost. So a stack that stays is {@linkplain
 * #settle settled}, and has names only from then on.
 *
 * <p><b>Threading:</b> any thread.
 */
public final class BirthStack {
  private static final int MOST_FRAMES = 64;

  private static final StackTraceElement UNKNOWN =
      new StackTraceElement("unknown", "unknown", null, -1);

  /** The package of the library, which may have been renamed. */
  private static final String OWN = ownPackage();

  /** Parts of class names; before them there may be a package of a renamed copy. */
  private static final String[] IN_BETWEEN = {
    ".netty.buffer.", "apache.arrow.memory.", "apache.arrow.vector.",
  };

  /** Beginnings of class names: reflection, and allocators of the JDK that call ours. */
  private static final String[] OF_THE_JDK = {
    "java.lang.foreign.",
    "java.lang.invoke.",
    "java.lang.reflect.",
    "jdk.internal.foreign.",
    "jdk.internal.reflect.",
  };

  private volatile @Nullable Throwable unsettled;
  private volatile @Nullable List<StackTraceElement> frames;

  private BirthStack(Throwable unsettled) {
    this.unsettled = unsettled;
  }

  /** That of the thread that calls. */
  public static BirthStack take() {
    return new BirthStack(new Throwable());
  }

  /** The same, settled; null if nothing is watched, or the Java heap or the stack is at its end. */
  public static @Nullable BirthStack takeIfWatched() {
    if (!WatchMode.IS_ON) {
      return null;
    }
    try {
      StackReserve.ensure(); // classes may be initialized
      BirthStack taken = take();
      var _ = taken.frames();
      return taken;
    } catch (OutOfMemoryError | StackOverflowError e) {
      return null;
    }
  }

  /** Whether it has names only. */
  public boolean isSettled() {
    return unsettled == null;
  }

  /** Has it refer to no class any more; equal stacks become one by way of {@code known}. */
  public void settle(Map<List<StackTraceElement>, List<StackTraceElement>> known) {
    List<StackTraceElement> own = frames();
    List<StackTraceElement> before = known.putIfAbsent(own, own);
    frames = before == null ? own : before;
  }

  private List<StackTraceElement> frames() {
    List<StackTraceElement> found = frames;
    if (found != null) {
      return found;
    }
    Throwable stack = unsettled;
    if (stack == null) { // another thread came first
      return requireNonNull(frames);
    }
    StackTraceElement[] all = stack.getStackTrace();
    found = List.of(Arrays.copyOf(all, Math.min(all.length, MOST_FRAMES)));
    frames = found;
    unsettled = null;
    return found;
  }

  /** Where the program asked for it. */
  public StackTraceElement place() {
    return placeIn(frames());
  }

  /**
   * The line that a reader looks for: where the program asked for memory. Not the library nor its
   * adapters, and not the classes of Netty and Arrow that hand out buffers of others. The last
   * frame where all are passed over.
   */
  static StackTraceElement placeIn(List<StackTraceElement> stack) {
    for (int i = 0; i < stack.size(); i++) {
      if (!isPassedOver(stack.get(i).getClassName())) {
        return stack.get(i);
      }
    }
    return stack.isEmpty() ? UNKNOWN : stack.getLast();
  }

  private static boolean isPassedOver(String className) {
    if (className.startsWith(OWN)) {
      return true;
    }
    for (String part : IN_BETWEEN) {
      if (className.contains(part)) {
        return true;
      }
    }
    for (String beginning : OF_THE_JDK) {
      if (className.startsWith(beginning)) {
        return true;
      }
    }
    return false;
  }

  private static String ownPackage() {
    String name = BirthStack.class.getName();
    return name.substring(0, name.length() - "guard.BirthStack".length());
  }

  /** For a log. */
  public Throwable toThrowable(String message) {
    Throwable result = new Throwable(message);
    result.setStackTrace(frames().toArray(StackTraceElement[]::new));
    return result;
  }
}
