package dev.arenal.bench;

import dev.arenal.elastic.ElasticSpace;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One space with the default settings, for all threads of a benchmark. */
@State(Scope.Benchmark)
public class ElasticState {
  final ElasticSpace space = ElasticSpace.builder("bench").build();

  /** A benchmark that left an arena open fails here. */
  @TearDown(Level.Trial)
  public void close() {
    space.close();
  }
}
