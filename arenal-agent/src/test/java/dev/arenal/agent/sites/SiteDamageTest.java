package dev.arenal.agent.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Class files that are damaged, of another version, or none at all. */
@Timeout(60)
final class SiteDamageTest {
  private static final byte[] TWO_METHODS =
      SourceCompiler.JAVAC.compile(
          "Two",
          """
          import java.lang.foreign.Arena;
          class Two {
            void first() { try (Arena a = Arena.ofConfined()) { a.allocate(8); } }
            Arena second() { return Arena.ofConfined(); }
          }
          """);

  @Test
  void text_isNoClassFile() {
    assertThatThrownBy(() -> SiteFinder.sites("hello, world".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a class file: firstBytes=0x68656c6c (expected 0xcafebabe)");
  }

  @Test
  void nothing_isNoClassFile() {
    assertThatThrownBy(() -> SiteFinder.sites(new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a class file: sizeBytes=0 (expected at least 10)");
    assertThat(SiteFinder.mayHaveSites(new byte[0])).isFalse();
  }

  @Test
  void cutOff_isRefused_atEveryLength() {
    for (int length = 0; length < TWO_METHODS.length; length++) {
      byte[] part = Arrays.copyOf(TWO_METHODS, length);
      assertThatThrownBy(() -> SiteFinder.sites(part))
          .as("length=%d", length)
          .isInstanceOf(IllegalArgumentException.class)
          .message()
          .matches(
              "not a class file: sizeBytes=\\d \\(expected at least 10\\)|class file is damaged:"
                  + " sizeBytes="
                  + length
                  + ", reason=.+ \\(expected what a compiler writes\\)");
    }
  }

  /** Any byte may be wrong: there are sites, or the file is refused. */
  @Test
  void anyByteChanged_givesSitesOrIsRefused() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    int refusedCount = 0;
    for (int i = 0; i < TWO_METHODS.length * 4; i++) {
      byte[] changed = TWO_METHODS.clone();
      changed[i % changed.length] = (byte) random.nextInt();
      try {
        assertThat(SiteFinder.sites(changed)).as("seed=%d", seed).hasSizeLessThan(10);
      } catch (IllegalArgumentException e) {
        refusedCount++;
      }
    }
    assertThat(refusedCount).as("seed=%d", seed).isPositive();
  }

  /** A method that the JVM would not load either has no sites; the others have theirs. */
  @Test
  void damagedMethod_leavesTheOthers() {
    byte[] damaged = TWO_METHODS.clone();
    // 0xcb is no instruction: put in the place of the store behind the first site.
    int call = indexOf(damaged, (byte) 0xb8);
    assertThat(damaged[call + 3]).isEqualTo((byte) 0x4c);
    damaged[call + 3] = (byte) 0xcb;

    assertThat(SiteFinder.sites(damaged))
        .containsExactly(
            new Site(
                "Two", "second", "()Ljava/lang/foreign/Arena;", 4, SiteShape.RETURNED, 0, false));
  }

  private static int indexOf(byte[] bytes, byte wanted) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == wanted && bytes[i + 1] == 0 && bytes[i - 1] != wanted) {
        return i;
      }
    }
    throw new IllegalStateException("not there: byte=" + wanted);
  }

  @Test
  void laterAndPreviewVersions_areRead() {
    List<Site> sites = SiteFinder.sites(TWO_METHODS);
    for (int version : new int[] {52, 65, 69, 70, 71, 99}) {
      for (int minor : new int[] {0, 0xFFFF}) {
        byte[] other = TWO_METHODS.clone();
        other[4] = (byte) (minor >>> 8);
        other[5] = (byte) minor;
        other[7] = (byte) version;
        byte[] copy = other.clone();

        assertThat(SiteFinder.sites(other)).as("version=%d.%d", version, minor).isEqualTo(sites);
        assertThat(other).isEqualTo(copy);
      }
    }
  }

  @Test
  void bytesOfBothNames_mayHaveSites() {
    assertThat(SiteFinder.mayHaveSites(TWO_METHODS)).isTrue();
    byte[] other = TWO_METHODS.clone();
    other[new String(other, StandardCharsets.ISO_8859_1).indexOf("ofConfined")] = 'O';
    assertThat(SiteFinder.mayHaveSites(other)).isFalse();
    assertThat(SiteFinder.sites(other)).isEmpty();
  }

  /** A handle can be loaded, and be an argument of a constant that is computed. */
  @Test
  void loadedHandles_areMethodReferences() {
    DirectMethodHandleDesc handle =
        MethodHandleDesc.ofMethod(
            DirectMethodHandleDesc.Kind.INTERFACE_STATIC,
            HandBuilt.ARENA,
            "ofConfined",
            HandBuilt.RETURNS_ARENA);
    DynamicConstantDesc<?> computed =
        DynamicConstantDesc.ofNamed(
            ConstantDescs.ofConstantBootstrap(
                ClassDesc.of("my.Bootstraps"),
                "make",
                ConstantDescs.CD_Object,
                ConstantDescs.CD_Object),
            "computed",
            ConstantDescs.CD_Object,
            handle);

    assertThat(HandBuilt.sites(c -> c.nop().ldc(handle).ldc(computed).ldc("text").return_()))
        .containsExactly(
            new Site("hand.Built", "code", "()V", -1, SiteShape.METHOD_REFERENCE, 1, false),
            new Site("hand.Built", "code", "()V", -1, SiteShape.METHOD_REFERENCE, 3, false));
  }

  /** A method of the same name elsewhere, and the factory's sisters, are no sites. */
  @Test
  void otherMethods_areNoSites() {
    byte[] classFile =
        HandBuilt.classFile(c -> {
          c.invokestatic(HandBuilt.SELF, "ofConfined", HandBuilt.RETURNS_ARENA);
          c.pop().invokestatic(HandBuilt.ARENA, "ofShared", HandBuilt.RETURNS_ARENA, true);
          c.pop().return_();
        });

    assertThat(SiteFinder.mayHaveSites(classFile)).isTrue();
    assertThat(SiteFinder.sites(classFile)).isEmpty();
    assertThat(ClassFile.latestMajorVersion()).isGreaterThanOrEqualTo(69);
  }
}
