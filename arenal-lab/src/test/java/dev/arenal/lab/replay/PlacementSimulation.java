package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceSpace;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * The memory that a placement of small arenas keeps, counted instead of run: an answer in a second,
 * before the way is built.
 *
 * <p>An arena begins in pieces of pages that it shares with those that come at the same time, and
 * goes on in pages of its own when it has taken so much. A page is committed while a byte in it
 * belongs to a live arena; what is given back early stays with its arena. Free pieces of live pages
 * are used again, lowest first, or not.
 */
final class PlacementSimulation {
  private static final int PAGE_BYTES = 4096;

  private final ReplayProgram program;
  private final Policy policy;
  private final Shared[] shared = {new Shared(), new Shared()};

  /** By arena: what it has taken, what is left of its last piece, and where its pieces are. */
  private final long[] takenBytes;

  private final long[] restBytes;
  private final long[] ownPages;
  private final int[][] pieces;
  private final int[] pieceCount;
  private long committedPages;

  /**
   * A way to place arenas.
   *
   * @param pieceBytes size of a piece, a power of two up to a page
   * @param mostSharedBytes what an arena takes in pieces, before it has pages of its own; 0 for
   *     none
   * @param reuses whether free pieces of live pages are used again
   */
  record Policy(int pieceBytes, int mostSharedBytes, boolean reuses) {
    /** Pages of its own for each arena. */
    static final Policy OWN_PAGES = new Policy(PAGE_BYTES, 0, false);
  }

  private PlacementSimulation(ReplayProgram program, Policy policy) {
    this.program = program;
    this.policy = policy;
    int arenaCount = program.arenas().arenaCount();
    takenBytes = new long[arenaCount];
    restBytes = new long[arenaCount];
    ownPages = new long[arenaCount];
    pieces = new int[arenaCount][0];
    pieceCount = new int[arenaCount];
  }

  /** Committed bytes when so many operations are done, which ascend. */
  static long[] committedBytes(ReplayProgram program, Policy policy, long[] atOperations) {
    PlacementSimulation simulation = new PlacementSimulation(program, policy);
    long[] committed = new long[atOperations.length];
    long done = 0;
    for (int i = 0; i < atOperations.length; i++) {
      for (; done < atOperations[i]; done++) {
        simulation.apply(program.operations().get(done));
      }
      committed[i] = simulation.committedPages * PAGE_BYTES;
    }
    return committed;
  }

  private void apply(long operation) {
    int arena = Operation.arena(operation);
    switch (Operation.code(operation)) {
      case Operation.ALLOCATE, Operation.ALLOCATE_KEPT ->
          allocate(arena, (long) Operation.sizeWords(operation) * Long.BYTES);
      case Operation.DEATH -> die(arena);
      default -> {}
    }
  }

  private void allocate(int arena, long bytes) {
    if (bytes > restBytes[arena]) {
      boolean isShared =
          ownPages[arena] == 0 && takenBytes[arena] + bytes <= policy.mostSharedBytes;
      if (isShared) {
        takePieces(arena, bytes);
      } else {
        // In place: what is left of its own last page is used, what is left of a piece is not.
        long rest = ownPages[arena] == 0 ? 0 : restBytes[arena];
        long count = Math.ceilDiv(bytes - rest, PAGE_BYTES);
        ownPages[arena] += count;
        committedPages += count;
        restBytes[arena] = rest + count * PAGE_BYTES;
      }
    }
    takenBytes[arena] += bytes;
    restBytes[arena] -= bytes;
  }

  private void takePieces(int arena, long bytes) {
    Shared space = sharedOf(arena);
    long rest = 0;
    while (rest < bytes) { // several for a larger block, which are counted as if in a row
      int piece = space.take();
      if (pieceCount[arena] == pieces[arena].length) {
        pieces[arena] = Arrays.copyOf(pieces[arena], 2 * pieceCount[arena] + 1);
      }
      pieces[arena][pieceCount[arena]++] = piece;
      rest += policy.pieceBytes;
    }
    restBytes[arena] = rest;
  }

  private void die(int arena) {
    committedPages -= ownPages[arena];
    Shared space = sharedOf(arena);
    for (int i = 0; i < pieceCount[arena]; i++) {
      space.give(pieces[arena][i]);
    }
    pieceCount[arena] = 0;
    ownPages[arena] = 0;
    restBytes[arena] = 0;
    takenBytes[arena] = 0;
  }

  private Shared sharedOf(int arena) {
    return shared[program.arenas().space(arena) == TraceSpace.CLASS ? 1 : 0];
  }

  /** The shared pages of one space. */
  private final class Shared {
    private final TreeSet<Integer> free = new TreeSet<>();
    private int[] liveOfPage = new int[64];
    private int next;

    int take() {
      Integer reused = policy.reuses ? free.pollFirst() : null;
      int piece = reused != null ? reused : next++;
      int page = pageOf(piece);
      if (page >= liveOfPage.length) {
        liveOfPage = Arrays.copyOf(liveOfPage, 2 * page);
      }
      committedPages += liveOfPage[page]++ == 0 ? 1 : 0;
      return piece;
    }

    void give(int piece) {
      int page = pageOf(piece);
      free.add(piece);
      if (--liveOfPage[page] == 0) {
        committedPages--;
        int first = page * (PAGE_BYTES / policy.pieceBytes);
        // A page without memory is no hole: others are filled first, and addresses are plenty.
        free.subSet(first, first + PAGE_BYTES / policy.pieceBytes).clear();
      }
    }

    private int pageOf(int piece) {
      return piece / (PAGE_BYTES / policy.pieceBytes);
    }
  }
}
