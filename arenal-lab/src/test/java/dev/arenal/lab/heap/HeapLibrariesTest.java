package dev.arenal.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.replay.AllocatorKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where libraries of heaps are found, and what is said where there is none. */
final class HeapLibrariesTest {
  private static final List<AllocatorKind> KINDS =
      List.of(AllocatorKind.MALLOC, AllocatorKind.JEMALLOC, AllocatorKind.MIMALLOC);

  @TempDir Path temp;

  @Test
  void library_isFoundByTheBestNameInTheFirstFolder() throws IOException {
    Path first = Files.createDirectories(temp.resolve("first"));
    Path second = Files.createDirectories(temp.resolve("second"));
    var _ = Files.writeString(first.resolve("libmimalloc.so"), "");
    Path best = Files.writeString(second.resolve("libmimalloc.so.2"), "");
    Path jemalloc = Files.writeString(first.resolve("libjemalloc.so.2"), "");
    var _ = Files.writeString(second.resolve("libjemalloc.so.2"), "");
    HeapLibraries libraries = new HeapLibraries(Map.of(), List.of(first, second));

    assertThat(libraries.require(AllocatorKind.MIMALLOC)).isEqualTo(best);
    assertThat(libraries.require(AllocatorKind.JEMALLOC)).isEqualTo(jemalloc);
    assertThat(libraries.installed(KINDS)).isEqualTo(KINDS);
    assertThat(libraries.leftOut(KINDS)).isEmpty();
  }

  @Test
  void ownBuild_isPreferred() throws IOException {
    var _ = Files.writeString(temp.resolve("libjemalloc.so.2"), "");
    Path own = Files.writeString(temp.resolve("own.so"), "");
    HeapLibraries libraries =
        new HeapLibraries(Map.of("ARENAL_JEMALLOC", own.toString()), List.of(temp));

    assertThat(libraries.require(AllocatorKind.JEMALLOC)).isEqualTo(own);
  }

  @Test
  void ownBuildThatIsNotThere_isAnErrorAndNotAnotherLibrary() throws IOException {
    var _ = Files.writeString(temp.resolve("libmimalloc.so.2"), "");
    HeapLibraries libraries =
        new HeapLibraries(Map.of("ARENAL_MIMALLOC", "/no/such.so"), List.of(temp));

    assertThatThrownBy(() -> libraries.installed(KINDS))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "no such library: ARENAL_MIMALLOC=/no/such.so (expected the path of a library with"
                + " mimalloc, or no such variable)");
  }

  @Test
  void missingLibraries_areLeftOutWithALineEach() throws IOException {
    HeapLibraries libraries = new HeapLibraries(Map.of(), List.of(temp));

    assertThat(libraries.installed(KINDS)).containsExactly(AllocatorKind.MALLOC);
    assertThat(libraries.leftOut(KINDS))
        .containsExactly(
            "jemalloc is left out: no libjemalloc.so.2 or libjemalloc.so in the usual folders"
                + " (install the package libjemalloc2 (Debian, Ubuntu) or jemalloc, or set"
                + " ARENAL_JEMALLOC to the path of a build)",
            "mimalloc is left out: no libmimalloc.so.3 or libmimalloc.so.2 or libmimalloc.so in"
                + " the usual folders (install the package libmimalloc2.0 (Debian, Ubuntu),"
                + " libmimalloc3 or mimalloc, or set ARENAL_MIMALLOC to the path of a build)");
    assertThatThrownBy(() -> libraries.require(AllocatorKind.JEMALLOC))
        .hasMessage(
            "allocator is not installed: allocator=jemalloc, no libjemalloc.so.2 or"
                + " libjemalloc.so in the usual folders (install the package libjemalloc2 (Debian,"
                + " Ubuntu) or jemalloc, or set ARENAL_JEMALLOC to the path of a build)");
  }

  @Test
  void variables_nameWhatIsInstalled() throws IOException {
    Path own = Files.writeString(temp.resolve("own.so"), "");
    HeapLibraries libraries =
        new HeapLibraries(Map.of("ARENAL_MIMALLOC", own.toString()), List.of());
    assertThat(libraries.variables(KINDS))
        .isEqualTo(Map.of("ARENAL_MIMALLOC", own.toAbsolutePath().toString()));
  }

  @Test
  void settingsOfTheUser_areShown() {
    Map<String, String> environment =
        Map.of(
            "MALLOC_CONF",
            "dirty_decay_ms:0",
            "MALLOC_ARENA_MAX",
            "2",
            "MIMALLOC_VERBOSE",
            "1",
            "MIMALLOC_PURGE_DELAY",
            "0",
            "HOME",
            "/root");

    assertThat(new HeapLibraries(environment, List.of()).settings(KINDS))
        .containsExactly(
            "malloc runs with the settings of this environment: MALLOC_ARENA_MAX=2",
            "jemalloc runs with the settings of this environment: MALLOC_CONF=dirty_decay_ms:0",
            "mimalloc runs with the settings of this environment: MIMALLOC_PURGE_DELAY=0,"
                + " MIMALLOC_VERBOSE=1");
    assertThat(new HeapLibraries(Map.of("HOME", "/root"), List.of()).settings(KINDS)).isEmpty();
  }
}
