package dev.arenal.lab.trace;

import java.io.IOException;

/**
 * The receiver of a trace, called once per event in the order in which the JVM logged them. What a
 * receiver does not implement, it does not look at.
 *
 * <p>Arena, loader and block ids are dense, count from 0 and are given in order of first
 * appearance. {@link Traces#read} has checked them before the first call: no event names an arena
 * that is dead or not yet born, or a block that is not live.
 */
public interface TraceVisitor {

  /**
   * Comes before all events, when the trace was found to be sound.
   *
   * @param info the facts of the trace
   * @throws IOException if there is no room for what the events would take
   */
  default void checked(TraceInfo info) throws IOException {}

  /**
   * Starts an arena.
   *
   * @param arena the id of the new arena
   * @param space the space the arena takes its memory from
   * @param loader the id of the class loader; its class and its non-class arena share it
   */
  default void birth(int arena, TraceSpace space, int loader) {}

  /**
   * Takes a block of memory.
   *
   * @param arena the arena that serves the block
   * @param sizeWords the size that was asked for, in words of 8 bytes, at least 1
   * @param block the running number of the allocation
   */
  default void allocate(int arena, int sizeWords, int block) {}

  /**
   * Gives a block back while its arena lives on.
   *
   * @param arena the arena that served the block
   * @param block the number of the allocation
   */
  default void deallocate(int arena, int block) {}

  /**
   * Ends an arena, and with it all of its blocks.
   *
   * @param arena the arena that dies
   */
  default void death(int arena) {}

  /**
   * Tells what the recorded JVM itself had committed.
   *
   * @param space the space of the figure
   * @param committedBytes the absolute figure from this event on
   */
  default void hotspotCommitted(TraceSpace space, long committedBytes) {}

  /**
   * Names the moment: a phase, a purge after a garbage collection.
   *
   * @param label what happens here
   */
  default void mark(String label) {}
}
