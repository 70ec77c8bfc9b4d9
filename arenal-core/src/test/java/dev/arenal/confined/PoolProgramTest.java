package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.machine.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings, which are read once, and threads, counted from the first: in JVMs of their own. */
@Timeout(120)
final class PoolProgramTest {
  private static final String JDK_ARENA = "arena=jdk.internal.foreign.ArenaImpl";
  private static final String SLAB_ARENA = "arena=dev.arenal.confined.SlabArena";
  private static final int DEFAULT_BYTES = 8192;

  @Test
  void jvm_absent() throws Exception {
    assertDescribed(describe(), SLAB_ARENA, DEFAULT_BYTES);
  }

  @Test
  void jvm_zero_isTheArenaOfTheJdk() throws Exception {
    assertDescribed(describe("-Darenal.confined.poolSizeBytes=0"), JDK_ARENA, 0);
  }

  @Test
  void jvm_smallest() throws Exception {
    assertDescribed(describe("-Darenal.confined.poolSizeBytes=8"), SLAB_ARENA, 16);
  }

  @Test
  void jvm_largest() throws Exception {
    assertDescribed(describe("-Darenal.confined.poolSizeBytes=16384"), SLAB_ARENA, 16 << 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "7", ""})
  void jvm_wrong_warnsOnceAndWorks(String text) throws Exception {
    ChildJvm child = describe("-Darenal.confined.poolSizeBytes=" + text);
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines())
        .containsExactly(SLAB_ARENA, "slabBytes=" + DEFAULT_BYTES, "works");
    String what = text.equals("7") ? "out of range" : "not a number of bytes";
    assertThat(child.err()).containsOnlyOnce(PoolSettingsTest.complaint(what, text));
    assertThat(child.err().lines()).hasSize(2); // when and where, what
  }

  @Test
  void jvm_withPageAlignment_isTheArenaOfTheJdk() throws Exception {
    assertDescribed(describe("-Dsun.nio.PageAlignDirectMemory=true"), JDK_ARENA, 0);
  }

  @Test
  void jvm_checked() throws Exception {
    ChildJvm child = describe("-Darenal.confined.checked=true");
    assertDescribed(child, "arena=dev.arenal.confined.CheckedArena", 0);
  }

  @Test
  void jvm_checked_withoutPool() throws Exception {
    ChildJvm child =
        describe("-Darenal.confined.checked=true", "-Darenal.confined.poolSizeBytes=0");
    assertDescribed(child, "arena=dev.arenal.confined.CheckedArena", 0);
  }

  @Test
  void jvm_checked_reportsALateWriteAtItsEnd() throws Exception {
    for (int i = 0; i < 5; i++) { // whatever else the end of the program does at the same time
      ChildJvm child = run(List.of("-Darenal.confined.checked=true"), "late");
      assertThat(child.exitCode()).as(child.err()).isZero();
      assertThat(child.err())
          .contains("logged before")
          .containsOnlyOnce(
              "native memory was written after its arena was closed: blockSizeBytes=40, offset=7,"
                  + " found=0xab; an address was kept, see the stack for the arena")
          .contains("at dev.arenal.confined.PoolProgram.writeLate(PoolProgram.java:");
    }
  }

  @Test
  void jvm_withoutNativeAccess_saysSoAndGoesToTheJdk() throws Exception {
    ChildJvm child = deny();
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines()).containsExactly("allocated", "closed", "allocated", "closed");
    assertThat(child.err())
        .containsOnlyOnce(
            "WARNING: confined arenas are not pooled: native access is denied: module=ALL-UNNAMED"
                + " (add --enable-native-access=ALL-UNNAMED to the java command)\n")
        .hasLineCount(2); // when and where, what
  }

  @Test
  void jvm_checkedWithoutNativeAccess_saysSoAndGoesToTheJdk() throws Exception {
    ChildJvm child = deny("-Darenal.confined.checked=true");
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines()).containsExactly("allocated", "closed", "allocated", "closed");
    assertThat(child.err())
        .containsOnlyOnce(
            "WARNING: confined arenas are not checked: native access is denied: module=ALL-UNNAMED"
                + " (add --enable-native-access=ALL-UNNAMED to the java command)\n")
        .hasLineCount(2); // when and where, what
  }

  /** Escape analysis sees all of it (ADR 0011); what the JDK leaves shows that the count works. */
  @Test
  void jvm_fourBlocks_leaveNoGarbage() throws Exception {
    assertThat(garbageBytes("pooled")).isZero();
    assertThat(garbageBytes("jdk")).isPositive();
  }

  private static long garbageBytes(String kind) throws Exception {
    ChildJvm child = run(List.of("-XX:TieredStopAtLevel=4", "-Xbatch"), "garbage", kind);
    assertThat(child.exitCode()).as(child.err()).isZero();
    return Long.parseLong(child.out().strip());
  }

  @Test
  void jvm_slabsOfShortThreads_doNotPileUp() throws Exception {
    List<String> flags =
        List.of(
            "-Darenal.confined.poolSizeBytes=16384", "-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch");
    ChildJvm child = run(flags, "threads", "2000");
    assertThat(child.exitCode()).as(child.err()).isZero();
    long grownKib = Long.parseLong(child.out().strip().replace("grownKib=", ""));
    assertThat(grownKib).isLessThan(16_000); // 32,000 if they did
  }

  // ---- when ended threads are looked for ----

  /** One slab is taken over, and four more threads' are freed, by each thread from there on. */
  @Test
  void jvm_endedThreads_areLookedForFromTheSeventeenthOn() throws Exception {
    assertKnown(
        run(List.of(), "known", "40"), 1, 16, 12, 12, 8, 8, 4, 4, 1, 16, 12, 12, 8, 8, 4, 4, 1, 2);
  }

  /** A look that finds little is not repeated before there are twice as many. */
  @Test
  void jvm_endedThreads_areLookedForWhenTheOthersHaveDoubled() throws Exception {
    ChildJvm child = run(List.of(), "known", "-20", "35");
    assertKnown(child, 1, 32, 28, 28, 24, 24, 21, 40, 36, 36);
  }

  @Test
  void jvm_threadsThatAreGone_makeTheNextLookEarlier() throws Exception {
    ChildJvm child = run(List.of(), "known", "-10", "gone30", "12");
    assertKnown(child, 1, 40, 10, 20, 16, 16, 12, 12);
  }

  /** Each pair is the first and the last of numbers that go up by one. */
  private static void assertKnown(ChildJvm child, int... fromTo) {
    assertThat(child.exitCode()).as(child.err()).isZero();
    String expected =
        IntStream.range(0, fromTo.length / 2)
            .flatMap(i -> IntStream.rangeClosed(fromTo[2 * i], fromTo[2 * i + 1]))
            .mapToObj(Integer::toString)
            .collect(Collectors.joining("\n", "", "\n"));
    assertThat(child.out()).isEqualTo(expected);
  }

  private static ChildJvm describe(String... flags) throws Exception {
    return run(List.of(flags), "describe");
  }

  private static ChildJvm run(List<String> flags, String... command) throws Exception {
    List<String> all = new ArrayList<>(flags);
    all.add("--enable-native-access=ALL-UNNAMED");
    return ChildJvm.run(all, PoolProgram.class, command);
  }

  private static ChildJvm deny(String... flags) throws Exception {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--illegal-native-access=deny");
    return ChildJvm.run(all, PoolProgram.class, "denied");
  }

  private static void assertDescribed(ChildJvm child, String arena, int slabBytes) {
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines()).containsExactly(arena, "slabBytes=" + slabBytes, "works");
    assertThat(child.err()).isEmpty();
  }
}
