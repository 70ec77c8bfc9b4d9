package dev.arenal.events;

import org.jspecify.annotations.Nullable;

/**
 * Events of allocators for Java Flight Recorder: waiting, harvesting, giving back, refusing,
 * leaking.
 *
 * <p>An event with a duration is begun, then ended with its figures; it has that duration, the
 * thread and its stack. <b>Threading:</b> any thread; the thread that begins an event also ends it.
 * <b>Cost:</b> two static fields are read where no recording was ever started or the JDK lacks the
 * module {@code jdk.jfr}; one object where a recording does not ask for the event.
 */
public final class MemoryEvents {
  private MemoryEvents() {}

  /** Begins an event {@code dev.arenal.PageAllocatorStall}: a thread waits for memory. */
  public static Stall beginStall() {
    return Jfr.isRunning() ? Stall.begin() : Stall.NONE;
  }

  /** Begins an event {@code dev.arenal.PageCacheHarvest}: cached memory is gathered. */
  public static Harvest beginHarvest() {
    return Jfr.isRunning() ? Harvest.begin() : Harvest.NONE;
  }

  /** Begins an event {@code dev.arenal.Uncommit}: memory goes back to the operating system. */
  public static Uncommit beginUncommit() {
    return Jfr.isRunning() ? Uncommit.begin() : Uncommit.NONE;
  }

  /** Begins an event {@code dev.arenal.Pretouch}: memory is made resident. */
  public static Pretouch beginPretouch() {
    return Jfr.isRunning() ? Pretouch.begin() : Pretouch.NONE;
  }

  /**
   * An event {@code dev.arenal.OutOfMemory}: memory was refused to the program.
   *
   * @param kind of allocator
   * @param name of that one
   * @param requestedBytes bytes that were asked for
   * @param committedBytes bytes that it has committed
   * @param limitBytes its capacity or budget; {@link Long#MAX_VALUE} if there is none
   */
  public static void outOfMemory(
      String kind, String name, long requestedBytes, long committedBytes, long limitBytes) {
    if (Jfr.isRunning()) {
      OutOfMemoryEvent event = new OutOfMemoryEvent();
      event.kind = kind;
      event.name = name;
      event.requestedBytes = requestedBytes;
      event.committedBytes = committedBytes;
      event.limitBytes = limitBytes;
      event.commit();
    }
  }

  /**
   * An event {@code dev.arenal.Leak}: a handle was collected as garbage before it was closed.
   *
   * @param kind of the handle
   * @param name of the memory, space or allocator
   * @param sizeBytes of each; 0 if that is not known
   * @param count for how many handles it stands
   * @param place where the program asked for it; null if that is not known
   */
  public static void leak(
      String kind, String name, long sizeBytes, long count, @Nullable StackTraceElement place) {
    if (Jfr.isRunning()) {
      LeakEvent event = new LeakEvent();
      event.kind = kind;
      event.name = name;
      event.sizeBytes = sizeBytes;
      event.count = count;
      event.place = place == null ? "" : place.toString();
      event.commit();
    }
  }

  /** A thread that waits for memory. */
  public static final class Stall {
    private static final Stall NONE = new Stall(null);

    private final @Nullable StallEvent event;

    private Stall(@Nullable StallEvent event) {
      this.event = event;
    }

    private static Stall begin() {
      StallEvent event = new StallEvent();
      event.begin();
      return event.isEnabled() ? new Stall(event) : NONE;
    }

    /**
     * It waits no more.
     *
     * @param granted whether it got the memory
     */
    public void end(String kind, String name, long requestedBytes, boolean granted) {
      if (event != null && event.shouldCommit()) {
        event.kind = kind;
        event.name = name;
        event.requestedBytes = requestedBytes;
        event.granted = granted;
        event.commit();
      }
    }
  }

  /** A harvest under way. */
  public static final class Harvest {
    /** None is under way: to end it does nothing. */
    public static final Harvest NONE = new Harvest(null);

    private final @Nullable HarvestEvent event;

    private Harvest(@Nullable HarvestEvent event) {
      this.event = event;
    }

    private static Harvest begin() {
      HarvestEvent event = new HarvestEvent();
      event.begin();
      return event.isEnabled() ? new Harvest(event) : NONE;
    }

    /**
     * It is over.
     *
     * @param requestedBytes size of the page
     * @param harvestedBytes bytes that came from the cache
     * @param committedBytes bytes that were newly committed
     * @param rangeCount number of ranges that were gathered
     * @param successful whether the page came to be
     */
    public void end(
        String kind,
        String name,
        long requestedBytes,
        long harvestedBytes,
        long committedBytes,
        int rangeCount,
        boolean successful) {
      if (event != null && event.shouldCommit()) {
        event.kind = kind;
        event.name = name;
        event.requestedBytes = requestedBytes;
        event.harvestedBytes = harvestedBytes;
        event.committedBytes = committedBytes;
        event.rangeCount = rangeCount;
        event.successful = successful;
        event.commit();
      }
    }
  }

  /** A discard of memory, until it is settled. */
  public static final class Uncommit {
    /** None is under way: to end it does nothing. */
    public static final Uncommit NONE = new Uncommit(null);

    private final @Nullable UncommitEvent event;

    private Uncommit(@Nullable UncommitEvent event) {
      this.event = event;
    }

    private static Uncommit begin() {
      UncommitEvent event = new UncommitEvent();
      event.begin();
      return event.isEnabled() ? new Uncommit(event) : NONE;
    }

    /**
     * It is there, or some of it was refused.
     *
     * @param requestedBytes bytes that were to go
     * @param uncommittedBytes bytes that went
     */
    public void end(String kind, String name, long requestedBytes, long uncommittedBytes) {
      if (event != null && event.shouldCommit()) {
        event.kind = kind;
        event.name = name;
        event.requestedBytes = requestedBytes;
        event.uncommittedBytes = uncommittedBytes;
        event.commit();
      }
    }
  }

  /** Memory that is being made resident. */
  public static final class Pretouch {
    private static final Pretouch NONE = new Pretouch(null);

    private final @Nullable PretouchEvent event;

    private Pretouch(@Nullable PretouchEvent event) {
      this.event = event;
    }

    private static Pretouch begin() {
      PretouchEvent event = new PretouchEvent();
      event.begin();
      return event.isEnabled() ? new Pretouch(event) : NONE;
    }

    /**
     * It is resident, or that has failed.
     *
     * @param target the owner of the memory
     * @param method how it was touched
     * @param threadCount how many touched
     * @param requestedBytes bytes that were to be touched
     * @param touchedBytes bytes that were touched
     * @param hugeBytes bytes in huge pages; -1 if that is not known
     * @param faultCount page faults; -1 if that is not known
     * @param successful whether all of it is there
     */
    public void end(
        String target,
        String method,
        int threadCount,
        long requestedBytes,
        long touchedBytes,
        long hugeBytes,
        long faultCount,
        boolean successful) {
      if (event != null && event.shouldCommit()) {
        event.target = target;
        event.method = method;
        event.threadCount = threadCount;
        event.requestedBytes = requestedBytes;
        event.touchedBytes = touchedBytes;
        event.hugeBytes = hugeBytes;
        event.faultCount = faultCount;
        event.successful = successful;
        event.commit();
      }
    }
  }
}
