/** The command {@code ./arenal}: records, replays and compares native memory. */
@SuppressWarnings("requires-automatic") // HdrHistogram has its name from its file
module dev.arenal.lab {
  requires dev.arenal;
  requires dev.arenal.agent;
  requires HdrHistogram;
  requires java.management;
  requires java.xml;
  requires info.picocli;
  requires io.netty.buffer;
  requires io.netty.common;
  requires com.fasterxml.jackson.databind;
  requires static org.jspecify;

  // The proxy is a program of its own, on the class path.
  requires static dev.arenal.netty;
  requires static io.netty.transport;
  requires static io.netty.transport.classes.epoll;

  // sun.misc.Signal: record passes signals on to the program.
  requires jdk.unsupported;

  // Fills annotated members by reflection; a new package with commands joins.
  opens dev.arenal.lab to
      info.picocli;

  // Makes records of JSON by reflection; a new package with results joins.
  opens dev.arenal.lab.buffers to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.confined to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.firstuse to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.histogram to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.jmh to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.jvm to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.medium to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.pretouch to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.proxy to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.replay to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.result to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.roundtrip to
      com.fasterxml.jackson.databind;
  opens dev.arenal.lab.scan to
      com.fasterxml.jackson.databind;
}
