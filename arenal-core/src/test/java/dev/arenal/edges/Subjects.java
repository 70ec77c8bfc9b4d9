package dev.arenal.edges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.ElasticSpaceBuilder;
import dev.arenal.elastic.ReportDetail;
import dev.arenal.elastic.SpaceAccess;
import dev.arenal.elastic.SpaceReport;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageAllocatorBuilder;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchProgress;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.stats.StatisticsMXBean;
import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.recorder.StatisticsAccess;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One of each, in use; built and closed by the same thread. */
final class Subjects implements AutoCloseable {
  /** A size, an offset, an alignment. */
  private static final long SOME_BYTES = 64 * 1024;

  private static final long MIB = 1 << 20;
  private static final int MOST_RESULTS = 2000;

  final Budget budget = Budget.limitedTo("edges", 1024 * MIB);
  final Budget otherBudget = Budget.limitedTo("other", 1024 * MIB);
  final Budget.Registration registration = otherBudget.addReclaimer(_ -> 0);
  final OutOfNativeMemoryError refusal =
      new OutOfNativeMemoryError("no room", "edges", 3, 2, "edges", 4, 2);
  final ElasticSpace growable = ElasticSpace.builder("growable").budget(budget).build();
  final ElasticSpace fixed =
      ElasticSpace.builder("fixed").budget(budget).fixedSizeBytes(32 * MIB).build();
  final ElasticSpaceBuilder spaceBuilder = ElasticSpace.builder("built").budget(budget);
  final ElasticArena confined = growable.openConfined("confined");
  final ElasticArena shared = fixed.openShared("shared");
  final PageAllocator pages = pages("pages").build();
  final PageAllocatorBuilder pagesBuilder = pages("built");
  final PageBuffer slot = pages.allocate(100, PageAge.SHORT_LIVED);
  final PageBuffer large = pages.allocate(8 * MIB, PageAge.LONG_LIVED);
  final Arena confinedOfPages = pages.openConfinedArena();
  final Arena sharedOfPages = pages.openSharedArena();
  final Arena pooled = PooledArena.ofConfined();
  final ReservedMemory memory = ReservedMemory.reserve("memory", MIB, budget);
  final StatisticsRecorder recorder = StatisticsRecorder.open("Edges", "recorder");
  final StatisticsMXBean bean = StatisticsAccess.bean(recorder);
  final SpaceReport report;
  final PretouchReport pretouchReport;

  private final MemorySegment ofConfined = confined.allocate(1000);
  private final MemorySegment ofShared = shared.allocate(1000);

  /** The results of calls, kept without a call, which would find no stack. */
  final @Nullable Object[] results = new Object[MOST_RESULTS];

  int resultCount;

  Subjects() {
    recorder.counter("Edges", "counter", StatisticsUnit.BYTES).add(1);
    recorder.sampler("Edges", "sampler", StatisticsUnit.BYTES).sample(1);
    assertThat(memory.commit(0, SOME_BYTES)).isEqualTo(SOME_BYTES);
    report = growable.report(ReportDetail.values());
    pretouchReport = memory.pretouch(Pretouch.upTo(SOME_BYTES));
  }

  private PageAllocatorBuilder pages(String name) {
    return PageAllocator.builder(name).capacityBytes(64 * MIB).budget(budget);
  }

  /** An argument for a parameter of that type. */
  Object argument(@Nullable SubjectKind kind, Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    return switch (type.getSimpleName()) {
      case "long" -> SOME_BYTES;
      case "int" -> kind == SubjectKind.FIXED_SPACE ? fixed.reference(ofShared) : 1;
      case "boolean" -> true;
      case "String" -> "given";
      case "ReportDetail[]" -> ReportDetail.values();
      case "Duration" -> Duration.ofMillis(1);
      case "Budget" -> budget;
      case "Pretouch" -> Pretouch.upTo(SOME_BYTES).threads(1);
      case "MemorySegment" -> kind == SubjectKind.CONFINED_ARENA ? ofConfined : ofShared;
      case "Reclaimer" -> (Budget.Reclaimer) _ -> 0;
      case "BooleanSupplier" -> (BooleanSupplier) () -> false;
      case "PretouchProgress" -> (PretouchProgress) (_, _) -> {};
      default -> throw new AssertionError("no argument of this type: " + type);
    };
  }

  /**
   * Uses everything; called by another thread, which a lock that was not given back keeps for ever.
   *
   * @return how many of them say that they are damaged
   */
  int useAll() {
    int damagedCount = 0;
    for (ElasticSpace space : new ElasticSpace[] {growable, fixed}) {
      damagedCount += served("space", () -> use(space)) ? 0 : 1;
      var _ = space.committedBytes() + space.reservedBytes() + space.usedBytes();
      var _ = space.floorBytes() + space.arenaCount();
      var _ = space + "" + space.statistics();
    }
    damagedCount += served("allocator", this::usePages) ? 0 : 1;
    var _ = pages.committedBytes() + pages.usedBytes();
    var _ = pages + "" + pages.statistics();
    damagedCount += served("memory", () -> memory.commit(SOME_BYTES, SOME_BYTES)) ? 0 : 1;
    var _ = memory.committedBytes() + memory.toString();
    var _ = StatisticsRecorder.tables() + "" + recorder.snapshot() + bean.getTable();
    var _ = budget.reclaim() + otherBudget.reclaim();
    try (Arena arena = PooledArena.ofConfined()) {
      useBlock(arena.allocate(100));
    }
    return damagedCount;
  }

  private static void use(ElasticSpace space) {
    try (ElasticArena arena = space.openShared()) {
      useBlock(arena.allocate(SOME_BYTES));
    }
    var _ = space.trim();
    SpaceAccess.verify(space);
  }

  private void usePages() {
    try (PageBuffer buffer = pages.allocate(SOME_BYTES, PageAge.SHORT_LIVED)) {
      useBlock(buffer.segment());
    }
    var _ = pages.trim();
    var _ = pages.report();
  }

  private static void useBlock(MemorySegment block) {
    assertThat(block.mismatch(Arena.ofAuto().allocate(block.byteSize()))).isEqualTo(-1);
    var _ = block.fill((byte) 7);
  }

  /** False if it is damaged; what the call itself has closed does not count. */
  private static boolean served(String what, Runnable use) {
    try {
      use.run();
      return true;
    } catch (IllegalStateException e) {
      String message = String.valueOf(e.getMessage());
      if (message.startsWith(what + " is damaged: ")) {
        return false;
      }
      assertThat(message).startsWith(what + " is closed");
      return true;
    }
  }

  /** Closes what calls have opened since there were so many results; by their thread. */
  void closeResults(int countBefore) {
    while (resultCount > countBefore) {
      if (results[--resultCount] instanceof AutoCloseable open) {
        closeIfOpen(open);
      }
    }
  }

  @Override
  public void close() {
    closeResults(0);
    if (pooled.scope().isAlive()) {
      pooled.close();
    }
    for (AutoCloseable open :
        new AutoCloseable[] {
          confined,
          shared,
          confinedOfPages,
          sharedOfPages,
          slot,
          large,
          growable,
          fixed,
          pages,
          memory
        }) {
      closeIfOpen(open);
    }
    registration.close();
    recorder.close();
    assertThat(budget.committedBytes()).isZero();
  }

  private static void closeIfOpen(AutoCloseable open) {
    try {
      if (!(open instanceof Arena arena) || arena.scope().isAlive()) {
        open.close();
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageMatching(".* is (already )?closed:.*");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
