package dev.arenal.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Whatever an owner is called, the kernel takes the name of its mappings. */
final class MappingNameTest {
  @Test
  void name_isThatOfTheOwner_behindOurs() {
    assertThat(name("tenants")).isEqualTo("arenal: tenants");
    assertThat(name("a b~!/{}()\"'")).isEqualTo("arenal: a b~!/{}()\"'");
    assertThat(name("")).isEqualTo("arenal: ");
  }

  @Test
  void whatTheKernelRefuses_isReplaced() {
    assertThat(name("a\\b`c$d[e]f")).isEqualTo("arenal: a_b_c_d_e_f");
    assertThat(name("x\ty\nz\u0000\u007f")).isEqualTo("arenal: x_y_z__");
    assertThat(name("gr\u00fc\u00df\uD83D\uDE00e")).isEqualTo("arenal: gr___e");
  }

  @Test
  void longName_isCut_andEndsWithAZero() {
    assertThat(name("n".repeat(71))).isEqualTo("arenal: " + "n".repeat(71)).hasSize(79);
    assertThat(name("n".repeat(500))).isEqualTo("arenal: " + "n".repeat(71));
  }

  private static String name(String owner) {
    byte[] name = NamedOperatingSystem.nameOf(owner);
    assertThat(name[name.length - 1]).isZero();
    return new String(name, 0, name.length - 1, StandardCharsets.US_ASCII);
  }
}
