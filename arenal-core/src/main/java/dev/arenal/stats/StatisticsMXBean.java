package dev.arenal.stats;

import java.util.Map;

/**
 * The statistics of one allocator as an MXBean named {@code dev.arenal:type=KIND,name="NAME"}; a
 * second one of the same name has a number, as in {@code "NAME#2"}.
 *
 * <p>The statistics thread registers the bean with the platform's MBean server moments after the
 * recording began, or within a second after other code has created that server, and removes it when
 * its owner is closed. For use by {@link javax.management.JMX#newMXBeanProxy}; not to be
 * implemented by programs. <b>Cost:</b> each attribute is a snapshot, some microseconds.
 */
public interface StatisticsMXBean {
  /** The kind of owner that is recorded, such as "PageAllocator". */
  String getKind();

  /** The name of that owner. */
  String getName();

  /** The table as text, in lines. */
  String getTable();

  /** The rows in bytes, nanoseconds and counts, by "group: row (unit)". */
  Map<String, StatisticsRow> getRows();
}
