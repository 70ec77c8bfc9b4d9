package dev.arenal.bench.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a fork comes to a library that must be there before it starts. */
final class PreloadTest {
  @Test
  void library_standsBeforeThoseOfTheUser() {
    assertThat(new Preload("X", Map.of("X", "/a b/c.so")).command())
        .containsExactly("env", "LD_PRELOAD=/a b/c.so");
    assertThat(new Preload("X", Map.of("X", "/c.so", "LD_PRELOAD", "/d.so")).command())
        .containsExactly("env", "LD_PRELOAD=/c.so:/d.so");
  }

  @Test
  void libraryWithoutAName_isRefused() {
    assertThatThrownBy(() -> new Preload("X", Map.of()).command())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("library is not named: variable=X (expected the path of the library)");
  }
}
