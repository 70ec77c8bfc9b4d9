package dev.arenal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Memory was made resident before it was needed. */
@Name("dev.arenal.Pretouch")
@Label("Pretouch")
@Category("Arenal")
@Description("Memory was made resident before it was needed")
@SuppressWarnings("UnusedVariable") // read by the recorder
final class PretouchEvent extends jdk.jfr.Event {
  @Label("Target")
  String target = "";

  @Label("Method")
  String method = "";

  @Label("Threads")
  int threadCount;

  @Label("Requested")
  @DataAmount
  long requestedBytes;

  @Label("Touched")
  @DataAmount
  long touchedBytes;

  @Label("In Huge Pages")
  @Description("-1 if no huge pages were asked for, or the operating system does not say")
  @DataAmount
  long hugeBytes;

  @Label("Page Faults")
  @Description("-1 if the operating system does not say")
  long faultCount;

  @Label("Successful")
  boolean successful;
}
