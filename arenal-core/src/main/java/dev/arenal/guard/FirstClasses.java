package dev.arenal.guard;

/**
 * The classes without a static initializer that a first space, page allocator or pooled arena
 * loads, so that {@link FirstUse} loads and verifies them while another thread links the calls into
 * the kernel, for which the caller has to wait anyway.
 *
 * <p>It is a matter of time only: a class that is missing here is loaded by the caller, a little
 * later. {@code FirstClassesTest} compares the names with what a new JVM loads.
 */
final class FirstClasses {
  private FirstClasses() {}

  /** Names below the package of the library, of one of the parts of {@link FirstUse}. */
  static String[] namesOf(int part) {
    return switch (part) {
      case FirstUse.MEMORY -> ofMemory();
      case FirstUse.STATISTICS -> ofStatistics();
      case FirstUse.SPACES -> ofSpaces();
      case FirstUse.ALLOCATORS -> ofAllocators();
      case FirstUse.POOL -> ofPool();
      default -> new String[0];
    };
  }

  private static String[] ofMemory() {
    return new String[] {
      "guard.BirthStack",
      "guard.Damage",
      "guard.LostHandle",
      "memory.Budget",
      "memory.Budget$LedgerKey",
      "os.MappingName",
      "os.NamedOperatingSystem",
      "reserve.GranuleMask",
      "reserve.Ledger",
      "reserve.Ledger$Key",
      "supply.Claim$Reservations",
      "supply.Claims",
      "supply.Floor",
      "supply.Housekeeper$Entry",
      "supply.Housekeeper$Owner",
      "supply.ReclaimGuard",
      "supply.UncommitCycle",
    };
  }

  private static String[] ofStatistics() {
    return new String[] {
      "guard.DaemonThreads",
      "stats.BeanRegistration",
      "stats.Counter",
      "stats.History",
      "stats.Ring",
      "stats.Row",
      "stats.Row$Counting",
      "stats.Row$Sampling",
      "stats.SamplingThread$Entry",
      "stats.StatisticsRecorder",
      "stats.StatisticsRecorder$Clock",
      "stats.StatisticsRecorder$CounterTotal",
      "stats.Tally",
    };
  }

  private static String[] ofSpaces() {
    return new String[] {
      "elastic.ChunkSizing",
      "elastic.ElasticSpace$Reclaimer",
      "elastic.GrowthHistory",
      "elastic.SpaceLeak",
      "elastic.SpacePretouch",
      "elastic.SpaceSettings",
      "elastic.SpaceStatistics",
      "elastic.StretchGrowth$Request",
      "elastic.Trimmer",
      "elastic.Trimmer$Batch",
      "elastic.chunk.ChunkManager",
      "elastic.chunk.Node",
      "elastic.chunk.Nodes",
      "elastic.chunk.PiecePages$Root",
      "elastic.chunk.SpaceCounters",
      "touch.TouchSource",
    };
  }

  private static String[] ofAllocators() {
    return new String[] {
      "OutOfNativeMemoryError",
      "page.AgeHeaps",
      "page.AllocatedBytes",
      "page.AllocatorLeak",
      "page.BestHole",
      "page.Bits",
      "page.BufferBirths",
      "page.BufferSampler",
      "page.HoleClasses",
      "page.HoleCounts",
      "page.HoleTree",
      "page.LargeHeap",
      "page.Magazine",
      "page.MediumHeap",
      "page.PageContext",
      "page.PageIndex",
      "page.PageState",
      "page.RangeHeap",
      "page.RequestCheck",
      "page.Run",
      "page.RunList",
      "page.SharedPage",
      "page.Slack",
      "page.SmallHeap",
      "page.SmallPage",
      "page.SpanTable",
      "page.StallQueue",
      "page.granule.Assembler",
      "page.granule.Defragmenter",
      "page.granule.GranulePeer",
      "page.granule.GranuleStates",
      "page.granule.MaxTree",
      "page.granule.PageAddresses",
      "page.granule.PageAddresses$Piece",
      "page.granule.PageAssembly",
      "page.granule.PageMemory",
      "page.granule.PageSettings",
      "page.granule.PageSupply",
      "page.granule.PageSupply$Reclaimer",
      "page.granule.PartialUncommit",
      "page.granule.RangeCache",
      "page.granule.SupplyFigures",
      "page.granule.SupplyState",
      "page.granule.SupplyStatistics",
      "page.granule.SupplyStatistics$Total",
      "page.granule.Uncommitter",
      "reserve.Ledger$Listener",
      "supply.Peers$Peer",
    };
  }

  private static String[] ofPool() {
    return new String[] {
      "confined.SlabArena", "confined.SlabRegistry$End", "confined.SlabRegistry$Entry",
    };
  }
}
