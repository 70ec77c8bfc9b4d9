package dev.arenal.bench.confined;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The factory that this fork measures. */
@State(Scope.Benchmark)
public class FactoryState {
  /** Its name; see {@link ArenaFactory#named}. */
  @Param({"jdk", "pooled", "malloc", "slicing", "control"})
  public String factory = "";

  /** Makes it a constant of this JVM. */
  @Setup(Level.Trial)
  public void choose() {
    Contender.choose(factory);
  }
}
