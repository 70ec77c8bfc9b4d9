package dev.arenal.touch;

import dev.arenal.events.MemoryEvents;
import dev.arenal.os.HugePages;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pretouch from the first question to the report.
 *
 * <p>Used by one thread; {@link #run} makes others and waits for them. <b>Cost:</b> the question
 * reads a dozen small files, well below a millisecond; the rest is the kernel's.
 */
public final class TouchRun {
  private final OperatingSystem os;
  private final Pretouch settings;
  private final String target;
  private final TouchPlan plan;
  private final Refusals refusals;
  private final MemoryEvents.@Nullable Pretouch event = MemoryEvents.beginPretouch();
  private final long startNanos = System.nanoTime();

  /**
   * A pretouch that is going to be.
   *
   * @param target the owner of the memory, for messages, such as {@code allocator=network}
   * @throws IllegalArgumentException if the settings name a NUMA node that is not there
   */
  public TouchRun(OperatingSystem os, Pretouch settings, String target) {
    this.os = os;
    this.settings = settings;
    this.target = target;
    this.plan = new TouchPlan(os, settings, target);
    this.refusals = new Refusals(os, settings, target, plan);
  }

  /**
   * Asks whether there is what it needs; to be called before anything is reserved or claimed.
   *
   * @throws OutOfMemoryError with all figures if not
   */
  public void check(TouchNeed need) {
    boolean isEnough = false;
    try {
      refusals.check(need);
      isEnough = true;
    } finally {
      if (!isEnough) {
        end(need.residentBytes(), plan.threadCount(), 0, -1, -1, false);
      }
    }
  }

  /**
   * Touches all that a source has.
   *
   * @param wantedBytes sum of its parts, as far as is known
   * @throws OutOfMemoryError if budget or kernel refuse, or memory vanishes; the source has been
   *     told to undo all
   * @throws java.util.concurrent.CancellationException if it was cancelled; the same
   */
  public PretouchReport run(TouchSource source, long wantedBytes) {
    plan.begin(wantedBytes);
    TouchCrew crew = new TouchCrew(os, settings, plan, refusals, source);
    try {
      Throwable failure = crew.work();
      if (failure == null) {
        failure = tellEnd(crew.doneBytes());
      }
      if (failure != null) {
        throw unchecked(failure);
      }
      PretouchReport report = report(source, crew);
      long doneBytes = crew.doneBytes();
      end(wantedBytes, crew.threadCount(), doneBytes, report.hugeBytes(), crew.faultCount(), true);
      return report;
    } catch (Throwable e) {
      giveUp(source, crew, wantedBytes, e);
      throw e;
    }
  }

  private void giveUp(TouchSource source, TouchCrew crew, long wantedBytes, Throwable failure) {
    try {
      try {
        source.undo();
      } finally { // also where the kernel has kept some of it
        endHugePages(source, crew);
        end(wantedBytes, crew.threadCount(), crew.doneBytes(), -1, crew.faultCount(), false);
      }
    } catch (Throwable e) { // why it has failed matters more
      if (!(e instanceof VirtualMachineError)) {
        failure.addSuppressed(e);
      }
    }
  }

  private PretouchReport report(TouchSource source, TouchCrew crew) {
    long hugeBytes = settings.hugePages() ? hugeBytes(crew.hugeRanges(), crew.doneBytes()) : -1;
    endHugePages(source, crew);
    return new PretouchReport(
        target,
        plan.method(),
        crew.threadCount(),
        settings.hugePages(),
        crew.doneBytes(),
        os.pageSizeBytes(),
        hugeBytes,
        crew.faultCount(),
        Duration.ofNanos(System.nanoTime() - startNanos));
  }

  private void endHugePages(TouchSource source, TouchCrew crew) {
    if (settings.hugePages() && source.wantsSmallPagesLater()) {
      for (TouchRange range : crew.hugeRanges()) {
        HugePages.adviseWithin(os, range.address(), range.sizeBytes(), false);
      }
    }
  }

  /** An error that the listener throws at the end counts, too. */
  private @Nullable Throwable tellEnd(long doneBytes) {
    try {
      if (doneBytes > 0) { // a listener may divide by the total
        settings.progress().touched(doneBytes, doneBytes);
      }
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private long hugeBytes(List<TouchRange> ranges, long mostBytes) {
    long[] addresses = ranges.stream().mapToLong(TouchRange::address).toArray();
    long[] sizesBytes = ranges.stream().mapToLong(TouchRange::sizeBytes).toArray();
    return Math.min(mostBytes, os.hugeBytes(addresses, sizesBytes, ranges.size()));
  }

  private void end(
      long wantedBytes,
      int threadCount,
      long touchedBytes,
      long hugeBytes,
      long faultCount,
      boolean successful) {
    if (event != null) {
      event.end(
          target,
          plan.method().name(),
          threadCount,
          wantedBytes,
          touchedBytes,
          hugeBytes,
          faultCount,
          successful);
    }
  }

  /** Sources and callbacks declare nothing that is checked. */
  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException exception
        ? exception
        : new IllegalStateException("pretouch failed", failure);
  }
}
