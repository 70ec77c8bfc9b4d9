package dev.arenal.lab.pretouch;

import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchSample.Heap;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Figures of pretouches made up for tests. */
public final class Pretouches {
  static final long GIB = PretouchPlan.GIB;
  static final String JVM = "JDK 25";

  private Pretouches() {}

  /** Two sizes, one JVM, two threads, three runs and one. */
  public static PretouchPlan plan() {
    return new PretouchPlan(List.of(4 * GIB, GIB), List.of(jvm()), 2, 3, 1);
  }

  static JvmSpec jvm() {
    return new JvmSpec(JVM, Path.of("java"), "25.0.3+9", 25, List.of());
  }

  /** Everything as claimed. */
  public static PretouchMeasurement asClaimed() {
    return measurement(
        new Refusal(
            40 * GIB, 12.25, 80, "pretouch refused: availableBytes=21474836480", 1 << 20, 0L));
  }

  /** The same with another refusal. */
  static PretouchMeasurement measurement(Refusal refusal) {
    PretouchSubject g1 = PretouchSubject.jvm(JVM, Collector.G1, false, false);
    PretouchSubject g1Touched = PretouchSubject.jvm(JVM, Collector.G1, true, false);
    PretouchSubject zgc = PretouchSubject.jvm(JVM, Collector.ZGC, true, true);
    PretouchResult untouched = result(g1, 4 * GIB, 0.07, 0.05, 0.06);
    return new PretouchMeasurement(
        plan(),
        List.of(
            result(g1, GIB, 0.05),
            untouched,
            touched(g1Touched, untouched, 2.06),
            result(zgc, 4 * GIB, 4.06),
            result(PretouchSubject.arenal(Method.TOUCH, false, 1), 4 * GIB, 3),
            result(PretouchSubject.arenal(Method.POPULATE, false, 2), 4 * GIB, 1),
            result(PretouchSubject.arenal(Method.POPULATE, true, 2), 4 * GIB, 0.25),
            result(PretouchSubject.kernel(Method.POPULATE, false, 2), 4 * GIB, 0.9),
            result(PretouchSubject.kernel(Method.CLEAR, false, 2), 4 * GIB, 0.125)),
        refusal,
        List.of("64 GiB is left out"),
        List.of("JVM did not start: jvm=x"));
  }

  /** A result without another one to compare with. */
  static PretouchResult result(PretouchSubject subject, long sizeBytes, double... seconds) {
    return result(subject, sizeBytes, List.of(), seconds);
  }

  /** The result of a JVM that touches its heap, beside that of the same one which does not. */
  static PretouchResult touched(
      PretouchSubject subject, PretouchResult untouched, double... seconds) {
    return result(subject, untouched.sizeBytes(), List.of(untouched), seconds);
  }

  private static PretouchResult result(
      PretouchSubject subject, long sizeBytes, List<PretouchResult> others, double... seconds) {
    return PretouchResult.of(
        subject,
        sizeBytes,
        Arrays.stream(seconds).mapToObj(wall -> sample(subject, sizeBytes, wall)).toList(),
        others);
  }

  static PretouchSample sample(PretouchSubject subject, long sizeBytes, double wallSeconds) {
    boolean isJvm = subject.collector() != null;
    return new PretouchSample(
        wallSeconds,
        wallSeconds / 10,
        wallSeconds / 2,
        subject.pretouch() ? sizeBytes : 40 << 20,
        subject.hugePages() ? sizeBytes : 0,
        subject.kind() == PretouchSubject.Kind.ARENAL ? (Double) 0.08 : null,
        isJvm ? new Heap(20 * GIB, sizeBytes, wallSeconds + 0.5) : null);
  }
}
