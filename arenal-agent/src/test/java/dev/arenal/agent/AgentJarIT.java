package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.classfile.ClassFile;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar that people name behind {@code -javaagent:}. */
final class AgentJarIT {
  @Test
  void names_areItsOwn() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.AGENT.toFile())) {
      // A program with this library, or this module, in another version keeps its own.
      assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName))
          .allMatch(
              name -> name.startsWith("dev/arenal/javaagent/") || name.startsWith("META-INF/"))
          .contains("dev/arenal/javaagent/page/PageAllocator.class")
          .contains("dev/arenal/javaagent/netty/LinkedByteBuf.class")
          .doesNotContain("dev/arenal/javaagent/netty/ArenalByteBufAllocator.class")
          .contains("dev/arenal/javaagent/confined/PooledArena.class")
          .doesNotContain("module-info.class");
      assertThat(jar.getManifest().getMainAttributes().getValue("Boot-Class-Path")).isNull();
    }
  }

  /** An older JVM could not load it otherwise, and would not start the program. */
  @Test
  void entryPoint_canBeLoadedByAnyJvm() throws IOException {
    assertThat(majorVersion("Agent")).isEqualTo(ClassFile.JAVA_8_VERSION);
    assertThat(majorVersion("Starter")).isEqualTo(ClassFile.JAVA_25_VERSION);
  }

  private static int majorVersion(String name) throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.AGENT.toFile())) {
      ZipEntry entry = jar.getEntry("dev/arenal/javaagent/agent/" + name + ".class");
      try (InputStream in = jar.getInputStream(entry)) {
        return ClassFile.of().parse(in.readAllBytes()).majorVersion();
      }
    }
  }

  @Test
  void nothingButTheJdk_isNeeded() {
    StringWriter out = new StringWriter();
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    PrintWriter writer = new PrintWriter(out, true);
    // Annotations are not needed to run; and a program that has no Netty has no copies beside it.
    String[] arguments = {
      "-s", "-f", "(org\\.jspecify|io\\.netty)\\..*", AgentJvm.AGENT.toString()
    };
    assertThat(jdeps.run(writer, writer, arguments)).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "arenal-agent.jar -> java.base",
            "arenal-agent.jar -> java.instrument",
            "arenal-agent.jar -> java.management",
            "arenal-agent.jar -> jdk.jfr");
  }
}
