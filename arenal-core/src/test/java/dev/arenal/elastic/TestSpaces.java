package dev.arenal.elastic;

import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Spaces for one test, over a strict simulated kernel; after the test each is verified, trimmed and
 * closed, and nothing may be left: no arena, no mapping, no byte in a budget.
 *
 * <p>A field with {@code @RegisterExtension}. A test closes its arenas itself, as programs do.
 */
final class TestSpaces implements AfterEachCallback {
  final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final List<ElasticSpace> spaces = new CopyOnWriteArrayList<>();

  /** A builder over the simulated kernel; pass what it shall become to {@link #build}. */
  ElasticSpaceBuilder builder(String name) {
    return ElasticSpace.builder(name).operatingSystem(os);
  }

  ElasticSpace build(ElasticSpaceBuilder builder) {
    ElasticSpace space = builder.build();
    spaces.add(space);
    return space;
  }

  /** A space with default settings. */
  ElasticSpace space() {
    return build(builder("test"));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    os.succeed();
    os.beforeDiscard(null);
    closeAll(spaces, os);
  }

  /** Checks the end of every life of spaces that share a kernel. */
  static void closeAll(List<ElasticSpace> spaces, SimulatedOperatingSystem os) {
    try {
      Set<Budget> budgets = new LinkedHashSet<>();
      for (ElasticSpace space : spaces) {
        space.verify();
        budgets.add(space.budget());
        check(space.arenaCount() == 0, "arenas left open: count=" + space.arenaCount(), space);
        check(space.usedBytes() == 0, "used without arenas: bytes=" + space.usedBytes(), space);
        var _ = space.trim();
        space.verify();
        check(space.committedBytes() == 0, "committed after trim", space);
        space.close();
        check(space.reservedBytes() == 0, "reserved after close", space);
      }
      for (Budget budget : budgets) {
        if (budget.committedBytes() != 0) {
          throw new AssertionError("budget not returned: " + budget);
        }
      }
      os.assertNoComplaints();
    } catch (AssertionError e) {
      spaces.clear();
      try {
        os.assertNothingMapped();
      } catch (AssertionError left) {
        e.addSuppressed(left); // as it must be after the first
      }
      throw e;
    }
    spaces.clear();
    os.assertNothingMapped();
  }

  /** INV-ARENA-1: whether the addresses of the stretch of an arena are in order. */
  static void verifyStretch(ElasticArena open) {
    ChunkedArena arena = (ChunkedArena) open;
    long top = arena.top();
    boolean ordered =
        arena.stretchStart <= arena.exposedEnd
            && arena.exposedEnd <= arena.committedEnd
            && arena.committedEnd <= arena.stretchEnd;
    if (!ordered || (top != 0 && (top < arena.stretchStart || top > arena.exposedEnd))) {
      throw new AssertionError(
          "INV-ARENA-1: stretch out of order: start="
              + arena.stretchStart
              + ", top="
              + top
              + ", exposed="
              + arena.exposedEnd
              + ", committed="
              + arena.committedEnd
              + ", end="
              + arena.stretchEnd);
    }
  }

  private static void check(boolean condition, String what, ElasticSpace space) {
    if (!condition) {
      throw new AssertionError(what + ": " + space);
    }
  }
}
