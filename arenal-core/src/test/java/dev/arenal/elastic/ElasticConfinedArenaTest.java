package dev.arenal.elastic;

import dev.arenal.conformance.NativeConformance;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ours, which must do the same; and whatever a test did, the space gets everything back. */
final class ElasticConfinedArenaTest extends NativeConformance {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();
  private ElasticSpace space;

  @BeforeEach
  void buildSpace() {
    space = spaces.space();
  }

  @Override
  protected Arena open() {
    return space.openConfined("conformance");
  }

  @Override
  protected boolean isConfined() {
    return true;
  }
}
