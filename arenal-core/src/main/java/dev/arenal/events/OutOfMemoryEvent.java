package dev.arenal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Memory was refused to the program. */
@Name("dev.arenal.OutOfMemory")
@Label("Native Memory Refused")
@Category("Arenal")
@Description("A request for native memory failed")
@SuppressWarnings("UnusedVariable") // read by the recorder
final class OutOfMemoryEvent extends jdk.jfr.Event {
  @Label("Kind")
  String kind = "";

  @Label("Name")
  String name = "";

  @Label("Requested")
  @DataAmount
  long requestedBytes;

  @Label("Committed")
  @DataAmount
  long committedBytes;

  @Label("Limit")
  @Description("Capacity or budget; 9223372036854775807 if there is none")
  @DataAmount
  long limitBytes;
}
