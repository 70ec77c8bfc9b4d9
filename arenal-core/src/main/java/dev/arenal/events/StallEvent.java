package dev.arenal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A thread waited for memory that others had to give back. */
@Name("dev.arenal.PageAllocatorStall")
@Label("Page Allocator Stall")
@Category("Arenal")
@Description("A thread waited for memory since capacity or budget were used up")
@SuppressWarnings("UnusedVariable") // read by the recorder
final class StallEvent extends jdk.jfr.Event {
  @Label("Kind")
  String kind = "";

  @Label("Name")
  String name = "";

  @Label("Requested")
  @DataAmount
  long requestedBytes;

  @Label("Granted")
  @Description("Whether it got the memory, rather than having waited too long")
  boolean granted;
}
