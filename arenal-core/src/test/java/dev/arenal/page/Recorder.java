package dev.arenal.page;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what the library logs during a test, and keeps it from the console. */
final class Recorder extends Handler implements BeforeEachCallback, AfterEachCallback {
  private static final Logger LOGGER = Logger.getLogger("dev.arenal");

  final List<LogRecord> records = new CopyOnWriteArrayList<>();

  @Override
  public void beforeEach(ExtensionContext context) {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(this);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    LOGGER.removeHandler(this);
    LOGGER.setUseParentHandlers(true);
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
