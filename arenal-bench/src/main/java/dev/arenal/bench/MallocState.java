package dev.arenal.bench;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Where a program that calls malloc keeps its addresses; made before anything is measured. */
@State(Scope.Thread)
public class MallocState {
  final long[] addresses = new long[OwnerAllocation.BLOCKS];
}
