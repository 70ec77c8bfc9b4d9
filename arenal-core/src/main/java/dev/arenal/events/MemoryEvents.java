package dev.arenal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Events of allocators for Java Flight Recorder: waiting, harvesting, giving back, refusing,
 * leaking.
 *
 * <p>An event with a duration is begun, then ended with its figures; it has that duration, the
 * thread and its stack. <b>Threading:</b> any thread; the thread that begins an event also ends it.
 * <b>Cost:</b> three static fields are read where no recording was ever started or the JDK lacks
 * the module {@code jdk.jfr}; one object where a recording does not ask for the event.
 *
 * <p>Before {@link EventClasses} says so no class of an event is touched: a small run-time image
 * may lack the module, and the first event class costs a program that records nothing a hundred
 * milliseconds.
 */
@SuppressWarnings("UnusedVariable") // read by the recorder
public final class MemoryEvents {
  private MemoryEvents() {}

  /** Whether the JDK has the flight recorder. */
  public static boolean isRecorderPresent() {
    return EventClasses.isRecorderPresent();
  }

  /**
   * Whether a recording has ever been started, and events are ready for it. If they are not yet,
   * another thread makes them so; the caller does not wait.
   */
  public static boolean areEmitted() {
    return EventClasses.areReady();
  }

  /** A thread begins to wait for memory; null where no recording asks. */
  public static @Nullable Stall beginStall() {
    return areEmitted() ? Stall.begun() : null;
  }

  /** Cached memory begins to be gathered; null where no recording asks. */
  public static @Nullable Harvest beginHarvest() {
    return areEmitted() ? Harvest.begun() : null;
  }

  /** Memory begins to go back to the operating system; null where no recording asks. */
  public static @Nullable Uncommit beginUncommit() {
    return areEmitted() ? Uncommit.begun() : null;
  }

  /** Memory begins to be made resident; null where no recording asks. */
  public static @Nullable Pretouch beginPretouch() {
    return areEmitted() ? Pretouch.begun() : null;
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
    if (areEmitted()) {
      OutOfMemory event = new OutOfMemory();
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
    if (areEmitted()) {
      Leak event = new Leak();
      event.kind = kind;
      event.name = name;
      event.sizeBytes = sizeBytes;
      event.count = count;
      event.place = place == null ? "" : place.toString();
      event.commit();
    }
  }

  /** A thread waited for memory that others had to give back. */
  @Name("dev.arenal.PageAllocatorStall")
  @Label("Page Allocator Stall")
  @Category("Arenal")
  @Description("A thread waited for memory because its capacity or budget was used up")
  public static final class Stall extends Event {
    @Label("Kind")
    String kind = "";

    @Label("Name")
    String name = "";

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Granted")
    @Description("Whether it got the memory, rather than having waited too long")
    boolean granted;

    static @Nullable Stall begun() {
      Stall event = new Stall();
      event.begin();
      return event.isEnabled() ? event : null;
    }

    /**
     * It waits no more.
     *
     * @param granted whether it got the memory
     */
    public void end(String kind, String name, long requestedBytes, boolean granted) {
      if (shouldCommit()) {
        this.kind = kind;
        this.name = name;
        this.requestedBytes = requestedBytes;
        this.granted = granted;
        commit();
      }
    }
  }

  /** Scattered cached memory was gathered for one page. */
  @Name("dev.arenal.PageCacheHarvest")
  @Label("Page Cache Harvest")
  @Category("Arenal")
  @Description("Scattered ranges of the cache were moved together for one page")
  public static final class Harvest extends Event {
    @Label("Kind")
    String kind = "";

    @Label("Name")
    String name = "";

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Harvested")
    @DataAmount
    long harvestedBytes;

    @Label("Newly Committed")
    @DataAmount
    long committedBytes;

    @Label("Ranges")
    @Description("Number of ranges that were gathered")
    int rangeCount;

    @Label("Successful")
    boolean successful;

    static @Nullable Harvest begun() {
      Harvest event = new Harvest();
      event.begin();
      return event.isEnabled() ? event : null;
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
      if (shouldCommit()) {
        this.kind = kind;
        this.name = name;
        this.requestedBytes = requestedBytes;
        this.harvestedBytes = harvestedBytes;
        this.committedBytes = committedBytes;
        this.rangeCount = rangeCount;
        this.successful = successful;
        commit();
      }
    }
  }

  /** Memory went back to the operating system. */
  @Name("dev.arenal.Uncommit")
  @Label("Uncommit")
  @Category("Arenal")
  @Description("Memory went back to the operating system")
  public static final class Uncommit extends Event {
    @Label("Kind")
    String kind = "";

    @Label("Name")
    String name = "";

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Uncommitted")
    @Description("Bytes that the operating system took; less than requested if it refused")
    @DataAmount
    long uncommittedBytes;

    static @Nullable Uncommit begun() {
      Uncommit event = new Uncommit();
      event.begin();
      return event.isEnabled() ? event : null;
    }

    /**
     * It is there, or some of it was refused.
     *
     * @param requestedBytes bytes that were to go
     * @param uncommittedBytes bytes that went
     */
    public void end(String kind, String name, long requestedBytes, long uncommittedBytes) {
      if (shouldCommit()) {
        this.kind = kind;
        this.name = name;
        this.requestedBytes = requestedBytes;
        this.uncommittedBytes = uncommittedBytes;
        commit();
      }
    }
  }

  /** Memory was made resident before it was needed. */
  @Name("dev.arenal.Pretouch")
  @Label("Pretouch")
  @Category("Arenal")
  @Description("Memory was made resident before it was needed")
  public static final class Pretouch extends Event {
    @Label("Target")
    String target = "";

    @Label("Method")
    String method = "";

    @Label("Threads")
    int threadCount;

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Touched")
    @DataAmount
    long touchedBytes;

    @Label("In Huge Pages")
    @Description("-1 if no huge pages were asked for, or the operating system does not say")
    @DataAmount
    long hugeBytes;

    @Label("Page Faults")
    @Description("-1 if the operating system does not say")
    long faultCount;

    @Label("Successful")
    boolean successful;

    static @Nullable Pretouch begun() {
      Pretouch event = new Pretouch();
      event.begin();
      return event.isEnabled() ? event : null;
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
      if (shouldCommit()) {
        this.target = target;
        this.method = method;
        this.threadCount = threadCount;
        this.requestedBytes = requestedBytes;
        this.touchedBytes = touchedBytes;
        this.hugeBytes = hugeBytes;
        this.faultCount = faultCount;
        this.successful = successful;
        commit();
      }
    }
  }

  /** Memory was refused to the program. */
  @Name("dev.arenal.OutOfMemory")
  @Label("Native Memory Refused")
  @Category("Arenal")
  @Description("A request for native memory failed")
  static final class OutOfMemory extends Event {
    @Label("Kind")
    String kind = "";

    @Label("Name")
    String name = "";

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Committed")
    @DataAmount
    long committedBytes;

    @Label("Limit")
    @Description("Capacity or budget; 9223372036854775807 if there is none")
    @DataAmount
    long limitBytes;
  }

  /** A handle was collected as garbage before it was closed. */
  @Name("dev.arenal.Leak")
  @Label("Leak")
  @Category("Arenal")
  @Description("A handle was collected as garbage before it was closed")
  @StackTrace(false)
  static final class Leak extends Event {
    @Label("Kind")
    @Description("Of the handle: PageBuffer, PageAllocator, ElasticSpace or ReservedMemory")
    String kind = "";

    @Label("Name")
    @Description("Of the memory, the space or the allocator")
    String name = "";

    @Label("Size")
    @Description("Of each, if that is known")
    @DataAmount
    long sizeBytes;

    @Label("Count")
    @Description("The number of buffers it stands for: not every one is watched")
    long count;

    @Label("Place")
    @Description("Where the program asked for it, if that is known")
    String place = "";
  }
}
