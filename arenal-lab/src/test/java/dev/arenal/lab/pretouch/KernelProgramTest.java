package dev.arenal.lab.pretouch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.lab.process.ChildFailedException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The program in C, where there is a compiler. */
final class KernelProgramTest {
  private static final long SIZE_BYTES = 64 << 20;

  @Test
  @Tag("optional")
  void everyMethod_makesAllOfItResident() throws Exception {
    try (KernelProgram program = KernelProgram.compile(KernelProgram.COMPILERS)) {
      assumeTrue(program != null, "there is no C compiler");
      for (String method : List.of("touch", "populate", "clear")) {
        for (int threadCount : new int[] {1, 3}) {
          PretouchSample sample = program.run(method, SIZE_BYTES, threadCount, false);
          assertThat(sample.residentBytes()).isBetween(SIZE_BYTES, SIZE_BYTES + (16 << 20));
          assertThat(sample.wallSeconds()).isPositive();
          assertThat(sample.hugeBytes()).isLessThanOrEqualTo(0);
          assertThat(sample.heap()).isNull();
        }
      }
    }
  }

  @Test
  @Tag("optional")
  void wrongWords_areTold() throws Exception {
    try (KernelProgram program = KernelProgram.compile(KernelProgram.COMPILERS)) {
      assumeTrue(program != null, "there is no C compiler");
      assertThatThrownBy(() -> program.run("touch", SIZE_BYTES, 0, false))
          .isInstanceOf(ChildFailedException.class)
          .hasMessage(
              "program in C died: method=touch, sizeBytes=67108864, threads=0, hugePages=false,"
                  + " exitCode=2; its last lines:\n    number of threads is out of range:"
                  + " threads=0 (expected 1 to 1024)");
    }
  }

  @Test
  void withoutACompiler_thereIsNone() throws Exception {
    assertThat(KernelProgram.compile(List.of())).isNull();
    assertThat(KernelProgram.compile(List.of("no-such-compiler", "false"))).isNull();
    // A compiler that reports success without an output.
    assertThat(KernelProgram.compile(List.of("true"))).isNull();
  }
}
