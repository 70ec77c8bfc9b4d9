package dev.arenal.agent;

import java.io.File;
import java.nio.file.Path;

/** Programs that make allocators of Netty themselves, and copies of Netty for them. */
final class NettyPrograms {
  static final String IN_GRPC = "io.grpc.netty.shaded.";
  static final String IN_FLINK = "org.apache.flink.shaded.netty4.";

  private static final Path FOLDER = Path.of(System.getProperty("netty.folder", "target/netty"));

  static final String BUFFER_NEW = buffer(version("new"));
  static final String NEW = BUFFER_NEW + File.pathSeparator + common(version("new"));
  static final String BUFFER_PREVIOUS = buffer(version("previous"));
  static final String PREVIOUS = BUFFER_PREVIOUS + File.pathSeparator + common(version("previous"));
  static final String BUFFER_OLD = buffer(version("old"));
  static final String OLD = BUFFER_OLD + File.pathSeparator + common(version("old"));
  static final String GRPC = jar("grpc-netty-shaded-" + System.getProperty("grpc.version", ""));
  static final String FLINK = jar("flink-shaded-netty-" + System.getProperty("flink.version", ""));

  /** The part of an agent's line that names a jar. */
  static String from(String jar) {
    return "from=file:" + Path.of(jar).toUri().getPath();
  }

  static final String POOLED = "io.netty.buffer.PooledByteBufAllocator";
  static final String ADAPTIVE = "io.netty.buffer.AdaptiveByteBufAllocator";

  /** Says what a buffer is, and what the allocator says of itself. */
  static final String USER =
      """
      package app;

      import io.netty.buffer.*;

      public class User implements Runnable {
        static final java.util.List<ByteBuf> KEPT = new java.util.ArrayList<>();

        public static void main(String[] arguments) { new User().run(); }

        public void run() {
          ALLOCATOR allocator = new ALLOCATOR(true);
          ByteBuf buffer = allocator.directBuffer(1000);
          buffer.writeLong(42).writeBytes(new byte[5000]);
          ByteBuf unwrapped = buffer.unwrap() == null ? buffer : buffer.unwrap();
          System.out.println(
              unwrapped.getClass().getSimpleName()
                  + " " + (buffer.alloc() == allocator)
                  + " " + buffer.hasMemoryAddress()
                  + " " + buffer.getLong(0)
                  + " " + buffer.nioBuffer().remaining()
                  + " " + buffer.slice(0, 8).getLong(0)
                  + " " + allocator.buffer().isDirect()
                  + " " + allocator.heapBuffer().hasArray());
          KEPT.add(buffer);
          System.out.println("used " + used(allocator));
        }

        static long used(ALLOCATOR allocator) {
          return allocator.metric().usedDirectMemory();
        }
      }
      """;

  static final String IN_PAGES = "ArenalLinkedByteBuf true true 42 5008 42 true true\n";

  private NettyPrograms() {}

  /** The program, with one of the allocators, for a Netty at that place or at the usual one. */
  static Path compile(Path folder, String allocator, String prefix, String classPath) {
    String text = USER.replace("ALLOCATOR", allocator).replace("io.netty", prefix + "io.netty");
    return compileText(folder, "app/User.java", text, classPath);
  }

  static Path compileText(Path folder, String file, String text, String classPath) {
    return new Sources().options("-cp", classPath).file(file, text).compileInto(folder);
  }

  private static String version(String which) {
    return System.getProperty("netty." + which, "");
  }

  private static String buffer(String version) {
    return jar("netty-buffer-" + version);
  }

  private static String common(String version) {
    return jar("netty-common-" + version);
  }

  private static String jar(String name) {
    return FOLDER.resolve(name + ".jar").toAbsolutePath().toString();
  }
}
