package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Nodes;
import dev.arenal.elastic.chunk.SpaceCounters;
import dev.arenal.guard.StackReserve;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a space, recorded from the first request on.
 *
 * <p>All of them are totals that the space keeps anyway, so that recording costs a look under its
 * lock each second and nothing in between. Belongs to the state and knows nothing of the handle: it
 * must not keep alive what the program has forgotten to close.
 */
final class SpaceStatistics {
  static final String KIND = "ElasticSpace";

  private static final String FROM_THE_START_PROPERTY = "arenal.statistics";

  private final SpaceState state;

  /** Guarded by this, which is taken before the lock of the space. */
  private @Nullable StatisticsRecorder recorder;

  SpaceStatistics(SpaceState state) {
    this.state = state;
  }

  /** Called when the space is built. */
  void openIfWanted() {
    if (Boolean.getBoolean(FROM_THE_START_PROPERTY)) {
      var _ = recorder();
    }
  }

  StatisticsTable table() {
    return recorder().snapshot();
  }

  private synchronized StatisticsRecorder recorder() {
    StatisticsRecorder known = recorder;
    if (known != null) {
      return known;
    }
    state.requireOpen();
    StatisticsRecorder opened = StatisticsRecorder.open(KIND, state.settings.name());
    addRows(opened);
    recorder = opened;
    return opened;
  }

  private void addRows(StatisticsRecorder opened) {
    StatisticsUnit bytes = StatisticsUnit.BYTES_PER_SECOND;
    StatisticsUnit operations = StatisticsUnit.OPERATIONS_PER_SECOND;
    SpaceCounters counters = state.counters;
    Nodes nodes = state.nodes;
    opened.counter("Memory", "Commit", bytes, locked(nodes::everCommittedBytes));
    opened.counter("Memory", "Uncommit", bytes, locked(nodes::everUncommittedBytes));
    opened.counter("Memory", "Uncommit Failed", operations, locked(() -> counters.uncommitsFailed));
    opened.counter(
        "Memory", "Out Of Memory", operations, locked(() -> counters.allocationsFailedLimit));
    opened.counter("Arenas", "Opened", operations, locked(() -> counters.arenaBirths));
    opened.counter("Arenas", "Closed", operations, locked(() -> counters.arenaDeaths));
  }

  private LongSupplier locked(LongSupplier total) {
    return () -> {
      StackReserve.ensureShort();
      state.lock.lock();
      try {
        return total.getAsLong();
      } finally {
        state.lock.unlock();
      }
    };
  }

  /**
   * The space is closed: no lock of it is held, nor is the monitor, since the listeners of a server
   * of beans are told, which may wait for anything.
   */
  void close() {
    StatisticsRecorder known;
    synchronized (this) { // after one that is just opened
      known = recorder;
    }
    if (known != null) {
      known.close();
    }
  }
}
