package dev.arenal.lab.trace;

import java.util.ArrayList;
import java.util.List;

/** A visitor that keeps the events as lines of text. */
public final class EventText implements TraceVisitor {
  private final List<String> lines = new ArrayList<>();

  /** Returns the events seen so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void birth(int arena, TraceSpace space, int loader) {
    lines.add("birth " + arena + " " + space + " loader " + loader);
  }

  @Override
  public void allocate(int arena, int sizeWords, int block) {
    lines.add("allocate " + arena + " " + sizeWords + " block " + block);
  }

  @Override
  public void deallocate(int arena, int block) {
    lines.add("deallocate " + arena + " block " + block);
  }

  @Override
  public void death(int arena) {
    lines.add("death " + arena);
  }

  @Override
  public void hotspotCommitted(TraceSpace space, long committedBytes) {
    lines.add("committed " + space + " " + committedBytes);
  }

  @Override
  public void mark(String label) {
    lines.add("mark " + label);
  }
}
