package dev.arenal.stats;

import java.util.Map;

/**
 * The statistics of one allocator as JMX shows them, under the name {@code
 * dev.arenal:type=KIND,name="NAME"}; a name taken twice gets a number, as in {@code "NAME#2"}.
 *
 * <p>Registered with the platform's MBean server by the statistics thread, moments after the
 * recorder was opened, and gone when it is closed. Where the process has no MBean server yet, none
 * is made: the bean is registered within a second after other code has made one. For use by {@link
 * javax.management.JMX#newMXBeanProxy}; nothing is gained by implementing it. <b>Cost:</b> each
 * attribute is a snapshot, some microseconds.
 */
public interface StatisticsMXBean {
  /** The kind of the recorded thing, such as "PageAllocator". */
  String getKind();

  /** The name its owner gave it. */
  String getName();

  /** The table as text, in lines. */
  String getTable();

  /** The rows in units of one (bytes, nanoseconds), by "group: row (unit)". */
  Map<String, StatisticsRow> getRows();
}
