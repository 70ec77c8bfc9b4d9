package dev.arenal.soak;

import dev.arenal.faults.FaultProgram;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A soak, for the loader that makes the library fail to order. */
public final class SoakProgram implements FaultProgram {
  private static final String SECONDS_PROPERTY = "soak.segmentSeconds";

  /** For the loader. */
  public SoakProgram() {}

  /** How long the next one runs; numbers and words are what loaders share. */
  static void setLength(Duration length) {
    System.setProperty(SECONDS_PROPERTY, Long.toString(length.toSeconds()));
  }

  @Override
  public void prepare() {}

  @Override
  public void operate() {
    Set<SoakFault> faults = SoakFault.parse(SoakFault.wanted());
    Soak.run(Duration.ofSeconds(Long.getLong(SECONDS_PROPERTY, 5)), faults);
  }

  @Override
  public void check(@Nullable Throwable thrown) {}
}
