package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with as few flags as each use needs; none of them allows Unsafe. */
final class StartTest {
  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
  private static final String DENY = "--illegal-native-access=deny";
  private static final String OPENS = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  @TempDir private Path folder;

  @Test
  void withoutAnyFlag_vectorsWork() throws Exception {
    Child child = run(List.of(), "buffer", "vector");
    assertThat(child.out()).as("%s", child).containsExactly("buffer: 1024", "vector: 999");
    assertThat(child.status()).isZero();
    assertThat(child.complaints())
        .isNotEmpty() // about native access, which it is not denied yet
        .allSatisfy(line -> assertThat(line).matches("WARNING: .*|"));
  }

  @Test
  void withNativeAccess_vectorsWorkInSilence() throws Exception {
    Child child = run(List.of(NATIVE, DENY), "buffer", "vector");
    assertThat(child.out()).as("%s", child).containsExactly("buffer: 1024", "vector: 999");
    assertThat(child.status()).isZero();
    assertThat(child.complaints()).isEmpty();
  }

  /** Arrow's own flag, which it says by name if it is missing. */
  @Test
  void streams_needArrowsFlag() throws Exception {
    Child child = run(List.of(NATIVE, DENY, OPENS), "stream");
    assertThat(child.out()).as("%s", child).containsExactly("read: true", "stream: 999");
    assertThat(child.status()).isZero();
    assertThat(child.complaints()).isEmpty();
    Child without = run(List.of(NATIVE, DENY), "stream");
    assertThat(without.status()).isOne();
    assertThat(without.out()).isEmpty();
    assertThat(without.complaints().getFirst())
        .contains("java.lang.UnsupportedOperationException: ");
  }

  // ---- settings ----

  @Test
  void limit_isThatOfTheBudget() throws Exception {
    Child child = run(List.of(NATIVE, DENY, "-Darenal.arrow.limitBytes=16777216"), "limit");
    assertThat(child.out())
        .as("%s", child)
        .containsExactly(
            "no room for an Arrow buffer: arrowAllocator=ROOT, arrowUsedBytes=0,"
                + " arrowLimitBytes=9223372036854775807, sizeBytes=33554432; no room:"
                + " allocator=arrow, requestedBytes=33554432, age=SHORT_LIVED, usedBytes=0,"
                + " pageBytes=0, capacityBytes=134217728, committedBytes=0,"
                + " budget=Budget[name=arrow, limitBytes=16777216, committedBytes=0],"
                + " maxWaitMillis=0 (expected at most the limit of the budget)");
    assertThat(child.status()).isZero();
  }

  /** Arrow then keeps a ledger of each buffer, and looks at all of them when the root is closed. */
  @Test
  void refusal_leavesNothingInArrowsBooks() throws Exception {
    Child child =
        run(
            List.of(
                NATIVE,
                DENY,
                "-Darrow.memory.debug.allocator=true",
                "-Darenal.arrow.limitBytes=16777216"),
            "limit",
            "vector");
    assertThat(child.out()).as("%s", child).hasSize(2);
    assertThat(child.out().getFirst()).startsWith("no room for an Arrow buffer: ");
    assertThat(child.out().getLast()).isEqualTo("vector: 999");
    assertThat(child.status()).isZero();
    assertThat(child.complaints()).isEmpty();
  }

  @Test
  void impossibleSettings_areSaidAndNotUsed() throws Exception {
    Child child =
        run(
            List.of(
                NATIVE,
                DENY,
                "-Darenal.arrow.limitBytes=16mb",
                "-Darenal.arrow.uncommitDelayMillis=-1"),
            "limit");
    assertThat(child.out()).as("%s", child).containsExactly("no limit: 33554432");
    assertThat(child.status()).isZero();
    assertThat(String.join("\n", child.complaints()))
        .contains(
            "invalid setting: arenal.arrow.limitBytes=16mb (expected a number from 8388608"
                + " to 4398046511104, or a size such as 512m; using no limit)")
        .contains(
            "invalid setting: arenal.arrow.uncommitDelayMillis=-1 (expected a number from"
                + " 0 to 31536000000; using 300000)");
  }

  private Child run(List<String> flags, String... steps) throws Exception {
    List<String> arguments = new ArrayList<>(flags);
    arguments.addAll(
        List.of("-cp", System.getProperty("java.class.path"), StartProgram.class.getName()));
    arguments.addAll(List.of(steps));
    return Child.run(folder, arguments);
  }
}
