package dev.arenal.lab.record;

import dev.arenal.lab.trace.EventText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A log taken in line by line, and the events that came out. */
final class LoggedEvents {
  private final EventText events = new EventText();
  private final MetaspaceHistory history = new MetaspaceHistory(events);
  private final MetaspaceLog log = new MetaspaceLog(history);

  LoggedEvents(String text) {
    text.lines()
        .forEach(line -> {
          byte[] bytes = ("x" + line + "\n").getBytes(StandardCharsets.UTF_8);
          log.accept(bytes, 1, bytes.length - 1);
        });
    history.end();
  }

  List<String> lines() {
    return events.lines();
  }

  long anomalyCount() {
    return history.anomalyCount();
  }

  long unknownLineCount() {
    return log.unknownLineCount();
  }

  long droppedLineCount() {
    return log.droppedLineCount();
  }

  int commitGranuleBytes() {
    return history.commitGranuleBytes();
  }
}
