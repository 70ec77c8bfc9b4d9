package dev.arenal.elastic.chunk;

/** The roots of a space that are in use. */
public final class RootCount {
  private RootCount() {}

  /** How many there are. */
  public static int of(Nodes nodes) {
    int count = 0;
    for (int i = 0; i < nodes.count(); i++) {
      count += nodes.get(i).usedRoots;
    }
    return count;
  }
}
