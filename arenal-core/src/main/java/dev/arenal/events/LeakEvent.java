package dev.arenal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A handle was collected as garbage before it was closed. */
@Name("dev.arenal.Leak")
@Label("Leak")
@Category("Arenal")
@Description("A handle was collected as garbage before it was closed")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the recorder
final class LeakEvent extends jdk.jfr.Event {
  @Label("Kind")
  @Description("Of the handle: PageBuffer, PageAllocator, ElasticSpace or ReservedMemory")
  String kind = "";

  @Label("Name")
  @Description("Of the memory, the space or the allocator")
  String name = "";

  @Label("Size")
  @Description("Of each, if that is known")
  @DataAmount
  long sizeBytes;

  @Label("Count")
  @Description("For how many buffers it stands: not each is watched")
  long count;

  @Label("Place")
  @Description("Where the program asked for it, if that is known")
  String place = "";
}
