package dev.arenal.lab.pretouch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchSample.Heap;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real processes, with little memory. */
final class PretouchProcessesTest {
  private static final long SIZE_BYTES = 64 * PretouchPlan.MIB;

  /** The workload's program, from the class path of the test. */
  private static final List<String> PROGRAM =
      List.of("-cp", System.getProperty("java.class.path"), "dev.arenal.workload.HeapAtStart");

  @Test
  void arenal_makesAllOfItResident() throws Exception {
    try (PretouchProcesses processes = open()) {
      for (Method method : List.of(Method.TOUCH, Method.POPULATE)) {
        PretouchSubject subject = PretouchSubject.arenal(method, false, 2);
        assertThat(processes.leftOut(subject)).isNull();
        PretouchSample sample = processes.run(subject, SIZE_BYTES);
        assertThat(sample.residentBytes()).isGreaterThan(SIZE_BYTES);
        assertThat(sample.wallSeconds()).isPositive();
        assertThat(sample.userSeconds() + sample.systemSeconds()).isPositive();
      }
      processes.warmUp(SIZE_BYTES);
    }
  }

  @Test
  void jvm_isLargerWithAlwaysPreTouch() throws Exception {
    try (PretouchProcesses processes = open()) {
      PretouchSubject touched = PretouchSubject.jvm("this", Collector.SERIAL, true, false);
      assertThat(processes.leftOut(touched)).isNull();
      PretouchSample with = processes.run(touched, 4 * SIZE_BYTES);
      PretouchSubject untouched = Objects.requireNonNull(touched.untouched());
      PretouchSample without = processes.run(untouched, 4 * SIZE_BYTES);

      assertThat(with.residentBytes()).isGreaterThan(4 * SIZE_BYTES);
      assertThat(without.residentBytes()).isLessThan(2 * SIZE_BYTES);
      Heap heap = Objects.requireNonNull(with.heap());
      assertThat(heap.heapBytes()).isBetween(3 * SIZE_BYTES, 4 * SIZE_BYTES);
      assertThat(heap.freeBytes()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyCollector_touchesItsHeap(Collector collector) throws Exception {
    try (PretouchProcesses processes = open()) {
      PretouchSubject touched = PretouchSubject.jvm("this", collector, true, true);
      assertThat(processes.leftOut(touched)).isNull();
      PretouchSample sample = processes.run(touched, SIZE_BYTES);

      assertThat(sample.residentBytes()).isGreaterThan(SIZE_BYTES);
    }
  }

  @Test
  void collectorThatAJvmHasNot_isLeftOut() throws Exception {
    PretouchPlan plan =
        new PretouchPlan(
            List.of(SIZE_BYTES), List.of(thisJvm(List.of("-XX:+NoSuchThing"))), 2, 1, 1);
    try (PretouchProcesses processes = PretouchProcesses.open(plan, PROGRAM)) {
      String reason = processes.leftOut(PretouchSubject.jvm("this", Collector.G1, false, false));
      assertThat(reason)
          .startsWith(
              "this G1 is left out: JVM did not start: jvm=this G1, sizeBytes=67108864, exitCode=1;"
                  + " its last lines:\n    Unrecognized VM option 'NoSuchThing'");
    }
  }

  /** The kernel would end the child, and not this test, should it be let. */
  @Test
  void moreThanThereIs_isRefused() throws Exception {
    try (PretouchProcesses processes = open()) {
      long askedBytes = 2 * processes.availableBytes();
      Refusal refusal = processes.refuse(askedBytes);
      assertThat(refusal.isRefused()).isTrue();
      assertThat(refusal.message())
          .startsWith("pretouch refused, limited by ")
          .contains("memory=lab, ")
          .contains("=" + askedBytes);
      assertThat(refusal.residentBytes()).isLessThan(512 << 20);
    }
  }

  private static PretouchProcesses open() throws Exception {
    PretouchPlan plan = new PretouchPlan(List.of(SIZE_BYTES), List.of(thisJvm(List.of())), 2, 1, 1);
    return PretouchProcesses.open(plan, PROGRAM);
  }

  private static JvmSpec thisJvm(List<String> flags) {
    Path launcher = Path.of(System.getProperty("java.home"), "bin", "java");
    return new JvmSpec(
        "this", launcher, Runtime.version().toString(), Runtime.version().feature(), flags);
  }
}
