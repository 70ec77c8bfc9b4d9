package dev.arenal.guard;

/**
 * The classes without a static initializer that a first page allocator loads, so that {@link
 * FirstUse} loads and verifies them while another thread links the calls into the kernel, for which
 * the caller has to wait anyway.
 *
 * <p>It is a matter of time only: a class that is missing here is loaded by the caller, a little
 * later. {@code FirstClassesTest} compares the names with what a new JVM loads. A space needs half
 * as many, and with an AOT cache it takes longer to ask for them than they take (ADR 0043).
 */
final class FirstClasses {
  /** A name a line, below the package of the library; constant, so there is no initializer. */
  private static final String OF_ALLOCATORS =
      """
      OutOfNativeMemoryError
      guard.BirthStack
      guard.DaemonThreads
      guard.Damage
      guard.LostHandle
      memory.Budget
      memory.Budget$LedgerKey
      os.MappingName
      os.NamedOperatingSystem
      page.AgeHeaps
      page.AllocatedBytes
      page.AllocatorLeak
      page.BufferBirths
      page.BufferSampler
      page.LargeHeap
      page.Magazine
      page.MediumHeap
      page.PageAllocatorBuilder
      page.PageContext
      page.PageSpares
      page.PageState
      page.RangeHeap
      page.Slack
      page.SmallHeap
      page.StallQueue
      page.granule.Assembler
      page.granule.Defragmenter
      page.granule.GranulePeer
      page.granule.GranuleStates
      page.granule.MaxTree
      page.granule.PageAddresses
      page.granule.PageAddresses$Piece
      page.granule.PageAssembly
      page.granule.PageMemory
      page.granule.PageSettings
      page.granule.PageSupply
      page.granule.PageSupply$Reclaimer
      page.granule.PartialUncommit
      page.granule.RangeCache
      page.granule.SupplyFigures
      page.granule.SupplyState
      page.granule.SupplyStatistics
      page.granule.SupplyStatistics$Total
      page.granule.Uncommitter
      page.span.BestHole
      page.span.Bits
      page.span.HoleClasses
      page.span.HoleCounts
      page.span.HoleTree
      page.span.PageIndex
      page.span.Run
      page.span.RunList
      page.span.SharedPage
      page.span.SmallPage
      page.span.SpanTable
      reserve.GranuleMask
      reserve.Ledger
      reserve.Ledger$Key
      reserve.Ledger$Listener
      stats.BeanRegistration
      stats.Counter
      stats.History
      stats.Ring
      stats.Row
      stats.Row$Counting
      stats.Row$Sampling
      stats.SamplingThread$Entry
      stats.StatisticsRecorder
      stats.StatisticsRecorder$Clock
      stats.StatisticsRecorder$CounterTotal
      stats.Tally
      supply.Claim$Reservations
      supply.Claims
      supply.Discard$Owner
      supply.Floor
      supply.Housekeeper$Entry
      supply.Housekeeper$Owner
      supply.Peers$Peer
      supply.ReclaimGuard
      supply.UncommitCycle
      """;

  private FirstClasses() {}

  /** Names below the package of the library. */
  static String[] ofAllocators() {
    return OF_ALLOCATORS.split("\n");
  }
}
