package dev.arenal.faults;

import dev.arenal.elastic.Seeds;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Runs a program once for every place at which the library may fail in it. */
public final class FaultSweep {
  /** More places than this in one operation mean that it never ends. */
  private static final long MAX_PLACES = 200_000;

  private static final long CLEANING_MILLIS = 50;

  /**
   * Where all programs run but those that are about a first use: to load the library anew and link
   * its calls takes longer than most of them.
   */
  private static final FaultLoader SHARED = FaultLoader.withNotes(false);

  private FaultSweep() {}

  /**
   * Fails at the first place, then at the second, until the program runs to its end.
   *
   * @param program by its class in the loader of the test; loaded anew here
   * @param step 1 for every place; more to look at some only
   * @return places seen; 0 if nothing has failed at all
   */
  public static long everyPlace(Class<? extends FaultProgram> program, Fault fault, long step) {
    return sweep(program, step, n -> Faults.arm(fault, n));
  }

  /** As {@link #everyPlace}, but all that comes after the place fails as well. */
  public static long fromEveryPlace(Class<? extends FaultProgram> program, Fault fault, long step) {
    return sweep(program, step, n -> Faults.armFrom(fault, n));
  }

  /**
   * As {@link #everyPlace}, in the threads of the library instead of the one that calls. From which
   * place on is drawn, so that other builds try others.
   */
  public static long everyPlaceOfOthers(
      Class<? extends FaultProgram> program, Fault fault, long step) {
    LongConsumer arming = n -> Faults.armOthers(fault, n);
    var _ = runOnce(SHARED.newProgram(program), Long.MAX_VALUE, arming); // classes are initialized
    return sweep(program, first(program, fault, step), step, arming);
  }

  /**
   * As {@link #everyPlace}, but about so many of them, evenly spread; from which on is drawn, so
   * that other builds try others.
   */
  public static long drawnPlaces(
      Class<? extends FaultProgram> program, Fault fault, int wantedCount) {
    return drawn(program, fault, wantedCount, n -> Faults.arm(fault, n));
  }

  /** As {@link #drawnPlaces}, but all that comes after the place fails as well. */
  public static long fromDrawnPlaces(
      Class<? extends FaultProgram> program, Fault fault, int wantedCount) {
    return drawn(program, fault, wantedCount, n -> Faults.armFrom(fault, n));
  }

  /**
   * Fails where the library is used for the first time, in static initializers too, each time in a
   * loader of its own. After each, the program runs once more in the same loader, and nothing
   * fails.
   *
   * @param first place to look at
   * @param step 1 for every place; more to look at some only
   */
  public static long everyPlaceOfFirstUse(
      Class<? extends FaultProgram> program, Fault fault, long first, long step) {
    for (long n = first; n < MAX_PLACES; n += step) {
      FaultLoader loader = FaultLoader.withNotes(true);
      boolean fired = runOnce(loader.newProgram(program), n, left -> Faults.arm(fault, left));
      var _ = runOnce(loader.newProgram(program), n, _ -> Faults.disarm());
      if (!fired) {
        awaitCleaners();
        return n == first ? 0 : n - 1;
      }
    }
    throw new AssertionError("more places than expected: maxPlaces=" + MAX_PLACES);
  }

  /** So that no later program is charged with it. */
  private static void addNoted(AssertionError failure) {
    try {
      KernelNotes.check();
    } catch (AssertionError noted) {
      failure.addSuppressed(noted);
    }
  }

  /** They close what a program has lost, in a thread whose errors nobody sees. */
  private static void awaitCleaners() {
    System.gc();
    try {
      Thread.sleep(CLEANING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    KernelNotes.check();
  }

  private static long drawn(
      Class<? extends FaultProgram> program, Fault fault, int wantedCount, LongConsumer arming) {
    // Twice: classes are initialized in the first.
    var _ = runOnce(SHARED.newProgram(program), Long.MAX_VALUE, arming);
    var _ = runOnce(SHARED.newProgram(program), Long.MAX_VALUE, arming);
    long step = Math.max(1, Faults.passedCount() / wantedCount);
    return sweep(program, first(program, fault, step), step, arming);
  }

  private static long first(Class<? extends FaultProgram> program, Fault fault, long step) {
    return 1 + Math.floorMod(Seeds.derive(program.getName() + fault, 0), step);
  }

  private static long sweep(Class<? extends FaultProgram> program, long step, LongConsumer arming) {
    runOnce(SHARED.newProgram(program), Long.MAX_VALUE, arming); // classes are initialized here
    return sweep(program, 1, step, arming);
  }

  private static long sweep(
      Class<? extends FaultProgram> program, long first, long step, LongConsumer arming) {
    for (long n = first; n < MAX_PLACES; n += step) {
      if (!runOnce(SHARED.newProgram(program), n, arming)) {
        return n == first ? 0 : n - 1;
      }
    }
    throw new AssertionError("more places than expected: maxPlaces=" + MAX_PLACES);
  }

  private static boolean runOnce(FaultProgram program, long n, LongConsumer arming) {
    program.prepare();
    Throwable thrown = null;
    boolean fired;
    arming.accept(n);
    try {
      program.operate();
    } catch (Throwable e) {
      thrown = e;
    } finally {
      fired = Faults.disarm();
    }
    check(program, n, thrown);
    return fired;
  }

  private static void check(FaultProgram program, long n, @Nullable Throwable thrown) {
    try {
      program.check(thrown);
      KernelNotes.check();
    } catch (Throwable e) {
      AssertionError failure =
          new AssertionError(
              "program="
                  + program.getClass().getSimpleName()
                  + ", failed at place="
                  + n
                  + ", thrown="
                  + thrown
                  + " ("
                  + Seeds.hint()
                  + ")",
              e);
      if (thrown != null) {
        failure.addSuppressed(thrown);
      }
      addNoted(failure);
      throw failure;
    }
  }
}
