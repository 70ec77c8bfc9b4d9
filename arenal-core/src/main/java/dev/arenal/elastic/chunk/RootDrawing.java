package dev.arenal.elastic.chunk;

/**
 * Draws root chunks as text, a letter a chunk, like HotSpot's {@code vslist}; runs of equal chunks
 * are folded, since a root can have sixteen thousand.
 */
public final class RootDrawing {
  private static final char CLAIMED = '~';

  private final ChunkManager chunks;
  private final long[] inUse;

  /** Position in {@code inUse}; roots are drawn in the order of their numbers. */
  private int next;

  private final StringBuilder out = new StringBuilder();
  private char letter;
  private int letterCount;

  /**
   * @param inUse handles of all chunks in use, in order
   */
  public RootDrawing(ChunkManager chunks, long[] inUse) {
    this.chunks = chunks;
    this.inUse = inUse;
  }

  /** The map of a root; the roots before it have been drawn. */
  public String of(RootChunk root, int unitCount) {
    out.setLength(0);
    letterCount = 0;
    for (int unit = 0; unit < unitCount; ) {
      int level = chunks.freeLevelAt(root, unit);
      if (level >= 0) {
        draw((char) ('a' + level));
        unit += Chunk.units(level);
      } else if (isPieceAhead(root.index, unit)) {
        drawPieces(root.index, unit);
        unit += Chunk.units(Chunk.levelFor(PiecePages.PAGE_BYTES));
      } else if (isInUse(root.index, unit)) {
        level = Chunk.level(inUse[next++]);
        draw((char) ('A' + level));
        unit += Chunk.units(level);
      } else {
        draw(CLAIMED);
        unit++;
      }
    }
    flush();
    return out.toString();
  }

  /** Whether a page of pieces begins there, in which there is always one in use. */
  private boolean isPieceAhead(int root, int unit) {
    int pageUnits = Chunk.units(Chunk.levelFor(PiecePages.PAGE_BYTES));
    return unit % pageUnits == 0
        && next < inUse.length
        && Chunk.isPiece(inUse[next])
        && Chunk.root(inUse[next]) == root
        && Chunk.unit(inUse[next]) - unit < pageUnits;
  }

  private void drawPieces(int root, int unit) {
    long free = chunks.pieces.freeAt(root, unit);
    for (int at = 0; at < Long.SIZE; ) {
      if ((free >>> at & 1) != 0) {
        draw((char) ('a' + Chunk.PIECE));
        at += Long.numberOfTrailingZeros(~(free >>> at));
      } else {
        draw((char) ('A' + Chunk.PIECE));
        at += Chunk.pieceUnits(inUse[next++]);
      }
    }
  }

  private boolean isInUse(int root, int unit) {
    return next < inUse.length
        && Chunk.root(inUse[next]) == root
        && Chunk.unit(inUse[next]) == unit;
  }

  private void draw(char drawn) {
    if (drawn != letter) {
      flush();
      letter = drawn;
    }
    letterCount = drawn == CLAIMED ? 1 : letterCount + 1; // how many is not known
  }

  private void flush() {
    if (letterCount > 0) {
      out.append(letter);
    }
    if (letterCount > 1) {
      out.append('*').append(letterCount);
    }
    letterCount = 0;
  }
}
