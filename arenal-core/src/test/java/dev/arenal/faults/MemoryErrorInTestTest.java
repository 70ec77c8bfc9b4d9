package dev.arenal.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

class MemoryErrorInTestTest {
  /** Run here only, by the test below: a nested class would be found by the runner, too. */
  static final class Failing {
    static boolean isWanted;

    @Test
    void test() {
      fail();
    }

    @RepeatedTest(1)
    void template() {
      fail();
    }

    @TestFactory
    DynamicTest dynamic() {
      return dynamicTest("dynamic", Failing::fail);
    }

    private static void fail() {
      if (isWanted) {
        throw new OutOfMemoryError("no room");
      }
    }
  }

  @Test
  void eachKindOfTest_failsAndIsNamed() {
    Failing.isWanted = true;
    Events tests;
    try {
      tests =
          EngineTestKit.engine("junit-jupiter")
              .enableImplicitConfigurationParameters(true) // as in the run of all tests
              .selectors(selectClass(Failing.class))
              .execute()
              .testEvents();
    } finally {
      Failing.isWanted = false;
    }
    tests.assertStatistics(statistics -> statistics.started(3).failed(3));
    tests.failed().stream()
        .forEach(event ->
            assertThat(event.toString()).contains("AssertionError: no room").contains("Failing"));
  }
}
