package dev.arenal.stats;

import java.util.Map;

/**
 * The statistics of one space or page allocator as an MXBean. It is named {@code
 * dev.arenal:type=KIND,name="NAME"}; a second owner of the same name has a number, as in {@code
 * "NAME#2"}.
 *
 * <p>The bean is registered with the platform's MBean server moments after the recording began, or
 * within a second after other code has created that server. It is removed when its owner is closed.
 * Programs use it by {@link javax.management.JMX#newMXBeanProxy}, and should not implement it.
 * <b>Cost:</b> some microseconds for each attribute, which is a snapshot.
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
