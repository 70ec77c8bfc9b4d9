package dev.arenal.agent.rewrite;

import dev.arenal.agent.runtime.AgentOutput;
import dev.arenal.agent.runtime.SeparateThread;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first rewrite of a class, before the program has one. The JDK has classes that read and write
 * class files, and the agent its own; all are initialized when they are first needed. If that is in
 * the midst of class loading at the end of a stack, or in a full Java heap, they can never be used
 * again, neither by the agent nor by other users of the JDK's.
 */
public final class FirstRewrite {
  private static final NamePatterns NONE = new NamePatterns(List.of());
  private static final RewriteRules RULES = new RewriteRules(true, true, false, NONE, NONE);

  private FirstRewrite() {}

  /**
   * Rewrites a class that is used for nothing else. Takes tens of milliseconds of the start.
   *
   * @throws Throwable if that cannot be done here
   */
  public static void make() throws Throwable {
    var _ = SeparateThread.call(FirstRewrite::rewriteAll);
  }

  private static Class<?> rewriteAll() throws IOException, IllegalAccessException {
    var _ = MethodHandles.lookup().ensureInitialized(AgentOutput.class);
    RewriteLog log = new RewriteLog(true, _ -> {});
    SiteTransformer transformer = new SiteTransformer(RULES, log);
    transformer.tryOut(Sample.class.getName().replace('.', '/'), classFile());
    return Sample.class;
  }

  private static byte[] classFile() throws IOException {
    String name = Sample.class.getName();
    try (InputStream in =
        Sample.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
      if (in == null) {
        throw new IllegalStateException("class is not in the agent's jar: class=" + name);
      }
      return in.readAllBytes();
    }
  }

  /** Has instructions of each kind around its sites, and never runs. */
  @SuppressWarnings("unused")
  private static final class Sample {
    private static @Nullable Object kept;
    private long sum;

    private Sample() {}

    private long use(Object any, int[] numbers, long[][] table) {
      try (Arena arena = Arena.ofConfined()) {
        synchronized (this) {
          for (int i = 0; i < numbers.length; i++) {
            sum += numbers[i] * table[i][0] / 3 % 5 << 1;
          }
        }
        table[1] = new long[] {(long) (sum * 0.5f), (byte) sum, (long) -(double) sum};
        kept = new Object[][] {{new int[2][3]}, {any.getClass() == Sample.class ? null : arena}};
        if ((sum > 4 && arena instanceof Serializable) || kept == null) {
          return ((Sample) any).use("used=" + arena, numbers, table);
        }
        return switch (any) {
          case String text when text.isEmpty() -> arena.allocateFrom(text).address();
          case Integer number ->
              switch (number) {
                case 1, 2, 3 -> 4;
                default -> 5;
              };
          default -> throw new IllegalStateException(any.toString());
        };
      }
    }

    private static Supplier<Arena> reference(String name) {
      return switch (name) {
        case "plain" -> Arena::ofConfined;
        case "serializable" -> (Supplier<Arena> & Serializable) Arena::ofConfined;
        default -> () -> Arena.ofConfined();
      };
    }
  }
}
