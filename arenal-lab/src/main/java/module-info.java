/** The command {@code ./arenal}: records, replays and compares native memory. */
@SuppressWarnings("requires-automatic") // HdrHistogram has its name from its file
module dev.arenal.lab {
  requires dev.arenal;
  requires dev.arenal.agent;
  requires HdrHistogram;
  requires java.management;
  requires info.picocli;
  requires io.netty.buffer;
  requires io.netty.common;
  requires com.fasterxml.jackson.databind;
  requires static org.jspecify;

  // sun.misc.Signal: record passes signals on to the program.
  requires jdk.unsupported;

  // Both fill annotated members by reflection; a new package with commands or JSON records joins.
  opens dev.arenal.lab to
      info.picocli,
      com.fasterxml.jackson.databind;
}
