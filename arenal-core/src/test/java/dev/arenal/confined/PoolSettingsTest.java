package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The size of slabs: as text, and in JVMs of their own, as it is read once. */
@Timeout(120)
final class PoolSettingsTest {
  private static final String JDK_ARENA = "arena=jdk.internal.foreign.ArenaImpl";
  private static final String SLAB_ARENA = "arena=dev.arenal.confined.SlabArena";
  private static final int DEFAULT_BYTES = 8192;

  // ---- the text ----

  @Test
  void absent_isTheDefault() {
    assertThat(PoolSettings.parse(null)).isEqualTo(new PoolSettings(DEFAULT_BYTES, null));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "8, 16",
    "9, 16",
    "16, 16",
    "17, 32",
    "64, 64",
    "100, 112",
    "8192, 8192",
    "16369, 16384",
    "16383, 16384",
    "16384, 16384",
    "+64, 64",
    "064, 64",
    "-0, 0",
    "' 64 ', 64",
    "'\t0\n', 0",
  })
  void goodSizes_areRoundedUp(String text, int slabSizeBytes) {
    assertThat(PoolSettings.parse(text)).isEqualTo(new PoolSettings(slabSizeBytes, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "1",
        "7",
        "16385",
        "1048576",
        "-8",
        "2147483648",
        "4294967360",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "99999999999999999999999",
        " 7 ",
      })
  void outOfRange_isTheDefaultAndAComplaint(String text) {
    assertThat(PoolSettings.parse(text))
        .isEqualTo(new PoolSettings(DEFAULT_BYTES, complaint("out of range", text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "\t", "x", "8k", "8K", "0x40", "8_192", "8,192", "8192.0", "1e3", "- 8", "--8",
        "on", "true", "null", "64 64", "{0}", "%s", "\u0668",
      })
  void garbage_isTheDefaultAndAComplaint(String text) {
    assertThat(PoolSettings.parse(text))
        .isEqualTo(new PoolSettings(DEFAULT_BYTES, complaint("not a number of bytes", text)));
  }

  private static String complaint(String what, String text) {
    return "pool size is "
        + what
        + ": arenal.confined.poolSizeBytes="
        + text
        + ", expected 0 (no pool) or 8 to 16384; using 8192";
  }

  // ---- in a JVM ----

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
    assertThat(child.err()).containsOnlyOnce(complaint(what, text));
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
    ChildJvm child = ChildJvm.run(List.of("--illegal-native-access=deny"), "denied");
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines()).containsExactly("allocated", "closed", "allocated", "closed");
    assertThat(child.err())
        .containsOnlyOnce(
            "WARNING: confined arenas are not pooled: native access is denied to unnamed module @")
        .endsWith("; add --enable-native-access=ALL-UNNAMED\n")
        .hasLineCount(2); // when and where, what
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

  private static ChildJvm describe(String... flags) throws Exception {
    return run(List.of(flags), "describe");
  }

  private static ChildJvm run(List<String> flags, String... command) throws Exception {
    List<String> all = new ArrayList<>(flags);
    all.add("--enable-native-access=ALL-UNNAMED");
    return ChildJvm.run(all, command);
  }

  private static void assertDescribed(ChildJvm child, String arena, int slabBytes) {
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines()).containsExactly(arena, "slabBytes=" + slabBytes, "works");
    assertThat(child.err()).isEmpty();
  }
}
