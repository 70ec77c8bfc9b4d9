package dev.arenal.agent.netty;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recognizes allocator classes of Netty, in any package. */
final class NettyNames {
  static final String TESTED = "4.1.100 to 4.1.130 and 4.2.9 to 4.2.20";

  private static final List<String> ALLOCATORS =
      List.of("netty/buffer/PooledByteBufAllocator", "netty/buffer/AdaptiveByteBufAllocator");

  private static final int BUFFER_LENGTH = "buffer/".length();

  private NettyNames() {}

  /** Names have slashes here. */
  static boolean isAllocator(@Nullable String className) {
    if (className == null) {
      return false;
    }
    for (String allocator : ALLOCATORS) {
      int from = className.length() - allocator.length();
      if (className.endsWith(allocator) && (from == 0 || isBorder(className.charAt(from - 1)))) {
        return true;
      }
    }
    return false;
  }

  /** Packages that are put elsewhere are often called {@code shaded_netty} or so. */
  private static boolean isBorder(char letter) {
    return !Character.isLetterOrDigit(letter);
  }

  /** The package that has {@code buffer} in it, with a slash at its end. */
  static String rootOf(String allocatorName) {
    int end = allocatorName.lastIndexOf('/') + 1;
    return allocatorName.substring(0, end - BUFFER_LENGTH);
  }
}
