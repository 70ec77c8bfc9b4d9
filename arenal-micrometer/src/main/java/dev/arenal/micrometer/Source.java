package dev.arenal.micrometer;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.SpaceReport;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageReport;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.StatisticsUnit;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One allocator or budget, referenced weakly: meters must not keep an owner alive that the program
 * has dropped.
 */
abstract sealed class Source<T> {
  private final WeakReference<T> target;

  /** The last figures. Guarded by the group. */
  Figures last = Figures.NONE;

  private Source(T target) {
    this.target = new WeakReference<>(target);
  }

  static Source<PageAllocator> of(PageAllocator pages) {
    return new Pages(pages);
  }

  static Source<ElasticSpace> of(ElasticSpace space) {
    return new Space(space);
  }

  static Source<Budget> of(Budget budget) {
    return new Limit(budget);
  }

  boolean isSameAs(Source<?> other) {
    Object mine = target.get();
    return mine != null && mine.equals(other.target.get()); // none of them defines it
  }

  /** Null if it is closed or collected; {@link #last} then has its counts. */
  @Nullable Figures read() {
    T known = target.get();
    return known == null ? null : read(known);
  }

  abstract @Nullable Figures read(T known);

  /** The budget that its memory counts against; null if it is collected. */
  @Nullable Budget budget() {
    T known = target.get();
    return known == null ? null : budget(known);
  }

  abstract Budget budget(T known);

  /** Its bytes in physical memory, by a call of the kernel; -1 if that is not known. */
  long residentBytes() {
    T known = target.get();
    return known == null ? 0 : residentBytes(known);
  }

  abstract long residentBytes(T known);

  private static final class Pages extends Source<PageAllocator> {
    Pages(PageAllocator pages) {
      super(pages);
    }

    @Override
    @Nullable Figures read(PageAllocator pages) {
      boolean isClosed = pages.isClosed(); // first: what is counted then is all
      PageReport report = pages.report();
      StatisticsTable table = pages.statistics();
      Optional<StatisticsRow> stall =
          table.row("Critical", "Allocation Stall", StatisticsUnit.NANOSECONDS);
      Figures now =
          new Figures(
              report.usedBytes(),
              report.committedBytes(),
              report.freeBytes(),
              report.wasteBytes(),
              report.cachedBytes(),
              report.capacityBytes(),
              ever(table, "Uncommit"),
              ever(table, "Out Of Memory"),
              stall.map(row -> row.total().sampleCount()).orElse(0L),
              stall.map(row -> row.total().sum()).orElse(0L), // of the same samples as the count
              stall.map(row -> row.last10m().max()).orElse(0L),
              report.waitingThreadCount(),
              pages.isDamaged() ? 1 : 0);
      if (isClosed) {
        last = now;
        return null;
      }
      return now;
    }

    @Override
    Budget budget(PageAllocator pages) {
      return pages.budget();
    }

    @Override
    long residentBytes(PageAllocator pages) {
      return pages.residentBytes();
    }
  }

  private static final class Space extends Source<ElasticSpace> {
    Space(ElasticSpace space) {
      super(space);
    }

    @Override
    @Nullable Figures read(ElasticSpace space) {
      StatisticsTable table = null;
      SpaceReport report;
      try {
        table = space.statistics();
        report = space.report();
      } catch (IllegalStateException e) { // closed or damaged
        if (table == null) {
          return null;
        }
        last = withoutReport(space, table);
        return last.damaged() > 0 ? last : null;
      }
      long fixedBytes = report.settings().fixedSizeBytes();
      return figures(
          table,
          report.usedBytes(),
          report.committedBytes(),
          report.freeBytes(),
          report.wasteBytes(),
          report.cachedBytes(),
          fixedBytes > 0 ? fixedBytes : Long.MAX_VALUE,
          0);
    }

    /** A damaged space has no report, and its free memory is of no use. */
    private Figures withoutReport(ElasticSpace space, StatisticsTable table) {
      if (space.isClosed() || !space.isDamaged()) {
        return figures(table, 0, 0, 0, 0, 0, 0, 0);
      }
      long limitBytes = last.limitBytes() > 0 ? last.limitBytes() : Long.MAX_VALUE;
      return figures(table, space.usedBytes(), space.committedBytes(), 0, 0, 0, limitBytes, 1);
    }

    private static Figures figures(
        StatisticsTable table,
        long usedBytes,
        long committedBytes,
        long freeBytes,
        long wasteBytes,
        long cachedBytes,
        long limitBytes,
        int damaged) {
      return new Figures(
          usedBytes,
          committedBytes,
          freeBytes,
          wasteBytes,
          cachedBytes,
          limitBytes,
          ever(table, "Uncommit"),
          ever(table, "Out Of Memory"),
          0,
          0,
          0,
          0,
          damaged);
    }

    @Override
    Budget budget(ElasticSpace space) {
      return space.budget();
    }

    @Override
    long residentBytes(ElasticSpace space) {
      return space.residentBytes();
    }
  }

  private static final class Limit extends Source<Budget> {
    Limit(Budget budget) {
      super(budget);
    }

    @Override
    Figures read(Budget budget) {
      return new Figures(0, budget.committedBytes(), 0, 0, 0, Long.MAX_VALUE, 0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    Budget budget(Budget budget) {
      return budget;
    }

    /** Whose it is, its users know. */
    @Override
    long residentBytes(Budget budget) {
      return 0;
    }
  }

  private static long ever(StatisticsTable table, String row) {
    return table.row("Memory", row).map(StatisticsRow::sumEver).orElse(0L);
  }
}
