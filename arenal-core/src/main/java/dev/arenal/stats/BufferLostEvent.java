package dev.arenal.stats;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A buffer was collected as garbage before it was closed. */
@Name("dev.arenal.BufferLost")
@Label("Buffer Lost")
@Category("Arenal")
@Description("A buffer was never closed; its memory stays until its allocator goes")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the recorder
final class BufferLostEvent extends jdk.jfr.Event {
  @Label("Name")
  String name = "";

  @Label("Size")
  @DataAmount
  long sizeBytes;

  @Label("Age")
  String age = "";

  @Label("Weight")
  @Description("For how many buffers it stands: not each is watched")
  int weight;

  @Label("Place")
  @Description("Where it was asked for")
  String place = "";
}
