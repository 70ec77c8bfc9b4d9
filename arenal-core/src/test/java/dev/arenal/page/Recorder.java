package dev.arenal.page;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** Keeps what is logged. */
final class Recorder extends Handler {
  private final List<LogRecord> records;

  Recorder(List<LogRecord> records) {
    this.records = records;
  }

  @Override
  public void publish(LogRecord entry) {
    records.add(entry);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
