package dev.arenal.lab.firstuse;

import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The program of one run: uses something for the first time, and nothing before it. Each subject
 * has a class of its own, so that nothing of it is loaded before its time begins, and nothing of
 * the others at all.
 */
public final class FirstUseChild {
  /** In place of a subject: all of them, for the run from which an AOT cache is made. */
  static final String ALL = "all";

  private static final int SIZE_BYTES = 100;
  private static final long CAPACITY_BYTES = 64 << 20;

  private FirstUseChild() {}

  /**
   * Uses a subject.
   *
   * @param args the subject, and the file for the nanoseconds that it took
   */
  public static void main(String[] args) throws IOException {
    long startNanos = System.nanoTime();
    use(args[0]);
    long nanos = System.nanoTime() - startNanos;
    // Nor is anything linked that the whole process would take longer for.
    Files.writeString(Path.of(args[1]), "{\"nanos\":".concat(Long.toString(nanos)).concat("}"));
  }

  private static void use(String subject) {
    switch (subject) {
      case "jdk-confined" -> JdkConfined.use();
      case "pooled" -> Pooled.use();
      case "elastic" -> Elastic.use();
      case "page" -> Page.use();
      case "netty" -> Netty.use();
      case ALL -> {
        JdkConfined.use();
        Pooled.use();
        Elastic.use();
        Page.use();
        Netty.use();
      }
      default -> throw new IllegalArgumentException("no such subject: ".concat(subject));
    }
  }

  /** Never closed: opened objects end with the process. */
  private static void keep(Object first, Object second) {
    Objects.requireNonNull(first);
    Objects.requireNonNull(second);
  }

  private static final class JdkConfined {
    static void use() {
      Arena arena = Arena.ofConfined();
      keep(arena, arena.allocate(SIZE_BYTES));
    }
  }

  private static final class Pooled {
    static void use() {
      Arena arena = PooledArena.ofConfined();
      keep(arena, arena.allocate(SIZE_BYTES));
    }
  }

  private static final class Elastic {
    static void use() {
      ElasticSpace space = ElasticSpace.builder("first").build();
      keep(space, space.openConfined().allocate(SIZE_BYTES));
    }
  }

  private static final class Page {
    static void use() {
      PageAllocator pages = PageAllocator.builder("first").capacityBytes(CAPACITY_BYTES).build();
      keep(pages, pages.allocate(SIZE_BYTES, PageAge.SHORT_LIVED).segment());
    }
  }

  private static final class Netty {
    static void use() {
      ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
      keep(allocator, allocator.directBuffer(SIZE_BYTES));
    }
  }
}
