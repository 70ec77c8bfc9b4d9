package dev.arenal.touch;

import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import dev.arenal.pretouch.PretouchReport;
import java.time.Duration;

/** One pretouch from the first question to the report. */
public final class TouchRun {
  private static final long PIECE_BYTES = 32L << 20;

  private final OperatingSystem os;
  private final Pretouch settings;
  private final String target;
  private final long startNanos = System.nanoTime();

  /**
   * A pretouch that is going to be.
   *
   * @param target who owns the memory, for messages, such as {@code allocator=network}
   */
  public TouchRun(OperatingSystem os, Pretouch settings, String target) {
    this.os = os;
    this.settings = settings;
    this.target = target;
  }

  /**
   * Asks whether there is what it needs; to be called before anything is reserved or claimed.
   *
   * @throws OutOfMemoryError with all figures if not
   */
  public void check(TouchNeed need) {
    if (!settings.isForced() && os.memoryFigures().availableBytes() < need.residentBytes()) {
      throw new OutOfMemoryError("pretouch refused: " + target);
    }
  }

  /**
   * Touches all that a source has.
   *
   * @param wantedBytes sum of its pieces, as far as is known
   * @throws OutOfMemoryError if budget or kernel refuse; the source has been told to undo all
   * @throws java.util.concurrent.CancellationException if it was cancelled; the same
   */
  public PretouchReport run(TouchSource source, long wantedBytes) {
    long touchedBytes = 0;
    boolean done = false;
    try {
      for (TouchPiece piece = source.next(PIECE_BYTES);
          piece != null;
          piece = source.next(PIECE_BYTES)) {
        int error = source.touch(piece, os::populate);
        if (error < 0) {
          source.failed(piece);
          throw new OutOfMemoryError("pretouch failed: " + target + Errno.name(error));
        }
        source.done(piece);
        touchedBytes += piece.sizeBytes();
        settings.progress().touched(touchedBytes, wantedBytes);
      }
      done = true;
    } finally {
      if (!done) {
        source.undo();
      }
    }
    return new PretouchReport(
        target,
        PretouchMethod.POPULATE,
        1,
        settings.hugePages(),
        touchedBytes,
        os.pageSizeBytes(),
        -1,
        -1,
        Duration.ofNanos(System.nanoTime() - startNanos));
  }
}
