package dev.arenal.page;

import java.util.ArrayList;
import java.util.List;

/** A trim of more holes than a claim has room for at first: it grows in the middle. */
public final class ScatteredTrimProgram extends PageFaultPrograms.Trim {
  private static final int HOLES = 60;

  /** For the sweep. */
  public ScatteredTrimProgram() {}

  @Override
  public void prepare() {
    super.prepare();
    List<PageBuffer> dead = new ArrayList<>();
    for (int i = 0; i < 2 * HOLES; i++) {
      PageBuffer buffer = pages().allocate(12_000, PageAge.SHORT_LIVED);
      Noise.write(buffer.segment(), (int) buffer.sizeBytes());
      (i % 2 == 0 ? dead : live).add(buffer);
    }
    dead.forEach(PageBuffer::close);
  }
}
