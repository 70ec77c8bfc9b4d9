package dev.arenal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Scattered cached memory was gathered for one page. */
@Name("dev.arenal.PageCacheHarvest")
@Label("Page Cache Harvest")
@Category("Arenal")
@Description("Scattered ranges of the cache were moved together for one page")
@SuppressWarnings("UnusedVariable") // read by the recorder
final class HarvestEvent extends jdk.jfr.Event {
  @Label("Kind")
  String kind = "";

  @Label("Name")
  String name = "";

  @Label("Requested")
  @DataAmount
  long requestedBytes;

  @Label("Harvested")
  @DataAmount
  long harvestedBytes;

  @Label("Newly Committed")
  @DataAmount
  long committedBytes;

  @Label("Ranges")
  @Description("Number of ranges that were gathered")
  int rangeCount;

  @Label("Successful")
  boolean successful;
}
