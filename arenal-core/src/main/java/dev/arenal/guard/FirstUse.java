package dev.arenal.guard;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Initializes the classes of the library before any of them is used, where nothing can go wrong.
 *
 * <p>A class whose static initializer ends by an error, however small the initializer is, can never
 * be used again: each use throws a {@link NoClassDefFoundError}. The first thread that comes to a
 * class runs it, and its stack may be at its end, or the Java heap full. So each way into the
 * library, which itself has no static initializer, comes here first. The names of the classes that
 * have one are listed, and a {@linkplain SeparateStack thread of its own} initializes them; if that
 * cannot begin, nothing has happened, and the next call tries again.
 *
 * <p>The same thread then loads what a first page allocator needs besides, and what is needed later
 * where no error may be.
 *
 * <p>Classes that link native functions are not among them: {@code dev.arenal.os} does that the
 * same way when it is needed. Enums are initialized here unless the program has named a constant
 * before.
 */
public final class FirstUse {
  private static final int MEMORY = 1;
  private static final int STATISTICS = 2;
  private static final int SPACES = 4;
  private static final int ALLOCATORS = 8;
  private static final int POOL = 16;
  private static final int REPORTS = 32;

  // Constants, for which no initializer runs.

  private static final String OF_MEMORY =
      """
      supply.Housekeeper guard.BirthStack guard.StackReserve guard.WatchMode memory.CommitMode
      reserve.Reservation os.ControlGroups os.KernelFiles pretouch.PretouchMethod
      events.EventClasses\
      """;

  private static final String OF_STATISTICS =
      """
      stats.recorder.JfrRows stats.recorder.Sampler stats.recorder.SamplingThread
      stats.StatisticsUnit stats.TableText\
      """;

  private static final String OF_SPACES =
      """
      elastic.ArenaGrowth elastic.chunk.Chunk elastic.chunk.ChunkList elastic.chunk.PiecePages
      elastic.ChunkSizing$1 elastic.ElasticSpaceBuilder elastic.block.FreeBlocks
      elastic.block.LargeBlocks elastic.ReclaimPolicy elastic.ReportDetail guard.ScopeEnd
      supply.Claims$Use elastic.chunk.RootChunk elastic.StretchGrowth\
      """;

  private static final String OF_REPORTS =
      """
      elastic.ArenaGrowth elastic.ReportDetail\
      """;

  private static final String OF_ALLOCATORS =
      """
      guard.ScopeEnd page.granule.GranuleRanges page.LockedHeap page.PageAge page.PageBuffer
      page.granule.PageKind page.Rack page.Racks page.granule.RangeCache$Hit
      page.SharedPageArena page.granule.SupplyStatistics$1 page.granule.Uncommitter
      page.span.SearchDepth page.span.SizeClasses supply.Claims$Use\
      """;

  /** The pool last: it looks whether it can work, by using the others. */
  private static final String OF_POOL =
      """
      guard.StackReserve confined.SharedSlots confined.SlabRegistry confined.ThreadSlabs
      confined.Pool\
      """;

  /**
   * Without a static initializer: what a first page allocator loads besides, while another thread
   * links the calls into the kernel, for which the caller has to wait anyway.
   *
   * <p>It is a matter of time only: a class that is missing here is loaded by the caller, a little
   * later. {@code FirstClassesTest} compares the names with what a new JVM loads. A space needs
   * half as many, and with an AOT cache it takes longer to ask for them than they take (ADR 0043);
   * of that, only what must not come later is asked for, below.
   */
  private static final String BESIDE_THE_LINK =
      """
      OutOfNativeMemoryError guard.DaemonThreads guard.Damage guard.LostHandle memory.Budget
      memory.Budget$LedgerKey os.NamedOperatingSystem page.AgeHeaps page.AllocatedBytes
      page.AllocatorLeak page.BufferBirths page.BufferSampler page.ConfinedArenas
      page.ConfinedArenas$Head page.FullMessage page.HoleDiscards page.LargeHeap
      page.Magazine page.MediumHeap page.PageAllocatorBuilder page.PageContext page.PageSpares
      page.PageState page.RangeHeap page.Slack page.SmallHeap page.StallQueue
      page.granule.Assembler page.granule.GranuleStates page.granule.MaxTree
      page.granule.PageAddresses page.granule.PageAddresses$Piece page.granule.PageAssembly
      page.granule.PageMemory page.granule.PageSettings page.granule.PageSupply
      page.granule.RangeCache page.granule.SupplyFigures page.granule.SupplyState
      page.granule.SupplyStatistics page.granule.SupplyStatistics$Total
      page.span.BestHole page.span.Bits page.span.HoleClasses page.span.HoleCounts
      page.span.HoleTree page.span.PageIndex page.span.Run page.span.RunList
      page.span.SharedPage page.span.SmallPage page.span.SpanTable reserve.GranuleMask
      reserve.Ledger reserve.Ledger$Key reserve.Ledger$Listener stats.recorder.Counter
      stats.recorder.History stats.recorder.Ring stats.recorder.Row stats.recorder.Row$Counting
      stats.recorder.Row$Sampling stats.recorder.SamplingThread$Entry
      stats.recorder.StatisticsRecorder stats.recorder.StatisticsRecorder$Clock
      stats.recorder.StatisticsRecorder$CounterTotal stats.recorder.Tally
      supply.Claim$Reservations supply.Claims supply.Discard$Owner supply.Floor
      supply.Housekeeper$Entry supply.Housekeeper$Owner supply.UncommitCycle\
      """;

  /**
   * Without a static initializer: what a space in use loads later, where its books are half
   * changed. At the end of a stack that would be an error in the middle of a change, after which it
   * serves no more. {@code FirstClassesTest} has a program that must load no other.
   */
  private static final String LATER_IN_SPACES =
      """
      elastic.EarlyFrees elastic.SharedArena$BumpRegion elastic.SpaceDiscard
      elastic.StretchGrowth$OfArena elastic.StretchGrowth$Request elastic.Trimmer$Batch
      elastic.Trimmer$Excess elastic.block.FreeWords elastic.block.SmallBins
      elastic.block.UsedRanges elastic.chunk.Node elastic.chunk.RunSearch events.MemoryEvents
      reserve.GranuleMask reserve.Ledger$Request supply.Change supply.Claim supply.Discard\
      """;

  /** The same of an allocator. */
  private static final String LATER_IN_ALLOCATORS =
      """
      events.MemoryEvents page.ArenaBuffers page.BufferBirth page.ConfinedPageArena
      page.SharedPageArena$Region page.granule.Uncommitter$Pass
      page.granule.Assembler$1 page.granule.Assembler$Refused page.granule.Defragment
      page.granule.Loan page.granule.Recommit page.granule.Recommit$Refused page.span.IdleMemory
      page.span.IdleMemory$Taken reserve.Ledger$Request supply.Claim supply.Retry\
      """;

  /** The parts that are initialized. */
  private static volatile int done;

  /** The last that initialized any; under the monitor of this class. */
  private static SeparateStack.@Nullable Running latest;

  private FirstUse() {}

  /**
   * Before reserved memory is used. Like all methods here, it does nothing the second time.
   *
   * @throws OutOfMemoryError if the Java heap is full; the next call tries again
   * @throws StackOverflowError if the stack is at its end; the next call tries again
   */
  public static void ofMemory() {
    require(MEMORY);
  }

  /** Before statistics are used. */
  public static void ofStatistics() {
    require(STATISTICS | MEMORY);
  }

  /** Before elastic spaces are used. */
  public static void ofSpaces() {
    require(SPACES | STATISTICS | MEMORY);
  }

  /** Before page allocators are used. */
  public static void ofAllocators() {
    require(ALLOCATORS | STATISTICS | MEMORY);
  }

  /** Before pooled arenas are used. */
  public static void ofPool() {
    require(POOL);
  }

  /** Before spaces are reported. */
  public static void ofReports() {
    require(REPORTS);
  }

  private static void require(int parts) {
    if ((done & parts) != parts) {
      initialize(parts);
    }
  }

  private static void initialize(int parts) {
    SeparateStack.Running running = running(parts);
    while (running != null) {
      running.await();
      running = running(parts);
    }
  }

  /**
   * The one that initializes now, maybe other parts, or a new one; null if nothing is missing.
   *
   * <p>No thread waits with the monitor held: a virtual one would leave its carrier, and others
   * that cannot leave theirs, since they are called by native code, would wait for the monitor on
   * all carriers for ever.
   */
  private static synchronized SeparateStack.@Nullable Running running(int parts) {
    int missing = parts & ~done;
    if (missing == 0) {
      return null;
    }
    SeparateStack.Running last = latest;
    if (last == null || !last.isAlive()) {
      last = SeparateStack.start(new Initializer(missing));
      latest = last;
    }
    return last;
  }

  /** No lambda: linking one is no work for the caller's stack. */
  private record Initializer(int parts) implements Runnable {
    @Override
    public void run() {
      linkConcatenation(parts);
      for (int part = 1; part <= parts; part <<= 1) {
        if ((parts & part) != 0) {
          initialize(namesOf(part), part == REPORTS);
        }
      }
      if ((parts & SPACES) != 0) {
        initialize(namesLaterInSpaces(), false);
      }
      if ((parts & ALLOCATORS) != 0) {
        initialize(namesBesideTheLink(), false);
        initialize(namesLaterInAllocators(), false);
      }
      done = done | parts; // two of them are rare, and what is lost is done again
    }

    /**
     * Links string concatenation for messages of errors. If a program's first concatenation is that
     * of an error at the end of its stack, classes of the JDK may be unusable from then on.
     */
    private static void linkConcatenation(int parts) {
      var _ = Objects.requireNonNull("parts=" + parts + ", of=" + FirstUse.class);
    }

    /** The constants of enums by reflection, which takes as long as a dozen classes. */
    private static void initialize(String[] names, boolean areInMaps) {
      // The package may have been renamed: programs are packed with copies of what they use.
      String own = FirstUse.class.getName();
      String prefix = own.substring(0, own.length() - "guard.FirstUse".length());
      for (String name : names) {
        try {
          Class<?> type = Class.forName(prefix.concat(name), true, FirstUse.class.getClassLoader());
          if (areInMaps) {
            // Made at the first EnumMap, which takes a full Java heap for a class that is no enum.
            var _ = type.getEnumConstants();
          }
        } catch (ClassNotFoundException | LinkageError e) {
          // Not in this copy of the library, or it says so when it is used.
          Thread.onSpinWait();
        }
      }
    }
  }

  /** Names below the package of the library. */
  static String[] namesOf(int part) {
    String names =
        switch (part) {
          case MEMORY -> OF_MEMORY;
          case STATISTICS -> OF_STATISTICS;
          case SPACES -> OF_SPACES;
          case ALLOCATORS -> OF_ALLOCATORS;
          case POOL -> OF_POOL;
          default -> OF_REPORTS;
        };
    return split(names);
  }

  /** The same of classes that need not be initialized. */
  static String[] namesBesideTheLink() {
    return split(BESIDE_THE_LINK);
  }

  static String[] namesLaterInSpaces() {
    return split(LATER_IN_SPACES);
  }

  static String[] namesLaterInAllocators() {
    return split(LATER_IN_ALLOCATORS);
  }

  private static String[] split(String names) {
    return names.replace('\n', ' ').split(" ");
  }
}
