package dev.arenal.netty;

import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Netty's own tests of a buffer, with each one watched and each access recorded. */
final class NettyLeakAwareContractTest extends BufferContract {
  private static final ResourceLeakDetector.Level USUAL = ResourceLeakDetector.getLevel();

  @BeforeAll
  static void watchAll() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  @AfterAll
  static void watchAsUsual() {
    ResourceLeakDetector.setLevel(USUAL);
  }
}
