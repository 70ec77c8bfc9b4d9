package dev.arenal.stats;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** One row of the table of one allocator, once a second. */
@Name("dev.arenal.MemoryStatistics")
@Label("Memory Statistics")
@Category("Arenal")
@Description("One row of the statistics of an allocator")
@Period("1 s")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the recorder
final class MemoryStatisticsEvent extends jdk.jfr.Event {
  @Label("Kind")
  String kind;

  @Label("Name")
  String name;

  @Label("Group")
  String group;

  @Label("Row")
  String row;

  @Label("Unit")
  @Description("BYTES_PER_SECOND, OPERATIONS_PER_SECOND, NANOSECONDS or BYTES")
  String unit;

  @Label("Last 10 s, Average")
  long average10s;

  @Label("Last 10 s, Maximum")
  long max10s;

  @Label("Last 10 min, Average")
  long average10m;

  @Label("Last 10 min, Maximum")
  long max10m;

  @Label("Last 10 h, Average")
  long average10h;

  @Label("Last 10 h, Maximum")
  long max10h;

  @Label("Total, Average")
  long averageTotal;

  @Label("Total, Maximum")
  long maxTotal;

  @Label("Sum Ever")
  long sumEver;

  MemoryStatisticsEvent(StatisticsTable table, StatisticsRow row) {
    this.kind = table.kind();
    this.name = table.name();
    this.group = row.group();
    this.row = row.row();
    this.unit = row.unit().name();
    this.average10s = row.last10s().average();
    this.max10s = row.last10s().max();
    this.average10m = row.last10m().average();
    this.max10m = row.last10m().max();
    this.average10h = row.last10h().average();
    this.max10h = row.last10h().max();
    this.averageTotal = row.total().average();
    this.maxTotal = row.total().max();
    this.sumEver = row.sumEver();
  }
}
