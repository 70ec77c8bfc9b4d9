package dev.arenal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Memory went back to the operating system. */
@Name("dev.arenal.Uncommit")
@Label("Uncommit")
@Category("Arenal")
@Description("Memory went back to the operating system")
@SuppressWarnings("UnusedVariable") // read by the recorder
final class UncommitEvent extends jdk.jfr.Event {
  @Label("Kind")
  String kind = "";

  @Label("Name")
  String name = "";

  @Label("Requested")
  @DataAmount
  long requestedBytes;

  @Label("Uncommitted")
  @Description("What the operating system took; less than requested where it refused")
  @DataAmount
  long uncommittedBytes;
}
