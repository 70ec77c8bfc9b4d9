package dev.arenal.edges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each public method, getters as well, at each depth just before the stack really ends: afterwards
 * another thread can use the object, or is told that it is damaged, and it can be closed.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PublicMethodStackEndTest {
  private static final long STACK_BYTES = 200 * 1024;

  /** So many frames before the end are tried. */
  private static final int FRAMES = 1000;

  /** A method that has come to its end so often is far enough from the end of the stack. */
  private static final int ENOUGH = 12;

  private static final int MOST_LARGE_FRAMES = 16;
  private static final int QUICK_ROUNDS = 1;
  private static final int SOAK_ROUNDS = 300;

  /** Generous: nothing here takes long. */
  private static final long MOST_SECONDS = 30;

  /** Each may cost that time. */
  private static final int MOST_FAILURES = 3;

  private static List<PublicCall> calls = List.of();

  private int endCount;
  private int doneCount;
  private int damagedCount;
  private final List<String> failures = new ArrayList<>();

  @BeforeAll
  static void callOnce() {
    calls = PublicCall.all();
    for (List<PublicCall> each :
        calls.stream()
            .collect(Collectors.groupingBy(call -> String.valueOf(call.kind())))
            .values()) {
      try (Subjects subjects = new Subjects()) {
        each.forEach(call -> new Dive(call, subjects).callTwice());
        var _ = subjects.useAll();
      }
    }
  }

  @Test
  void endOfTheStack_keepsNoThreadAway() throws InterruptedException {
    run(QUICK_ROUNDS);
  }

  @Tag("soak")
  @Test
  @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void endOfTheStack_keepsNoThreadAway_forLong() throws InterruptedException {
    run(SOAK_ROUNDS);
  }

  private void run(int roundCount) throws InterruptedException {
    for (int i = 0; i < roundCount * calls.size() && failures.size() < MOST_FAILURES; i++) {
      tryCall(calls.get(i % calls.size()), i);
    }
    assertThat(failures).as(Seeds.hint()).isEmpty();
    assertThat(endCount).isGreaterThan(calls.size() * roundCount);
    assertThat(doneCount).isGreaterThan(calls.size() * roundCount);
    assertThat(damagedCount).as("most have stack enough").isLessThan(1 + doneCount / 1000);
  }

  /** In a thread of its own. One that never comes back is left where it is. */
  private void tryCall(PublicCall call, int number) throws InterruptedException {
    CompletableFuture<Dive> dived = new CompletableFuture<>();
    Thread deep =
        new Thread(
            null,
            () -> {
              try {
                dived.complete(dive(call, number));
              } catch (Throwable e) {
                dived.completeExceptionally(e);
              }
            },
            "deep",
            STACK_BYTES);
    deep.setDaemon(true);
    deep.start();
    try {
      Dive dive = dived.get(2 * MOST_SECONDS, TimeUnit.SECONDS);
      endCount += dive.endCount;
      doneCount += dive.doneCount;
      damagedCount += dive.damagedCount;
    } catch (TimeoutException e) {
      failures.add(call + ": hangs in " + Arrays.toString(deep.getStackTrace()));
    } catch (ExecutionException e) {
      failures.add(call + ": " + describe(Objects.requireNonNull(e.getCause())));
    }
  }

  /** All that it has opened is closed again, and gives all back. */
  private static Dive dive(PublicCall call, int number) throws InterruptedException {
    try (Subjects subjects = new Subjects()) {
      Dive dive = new Dive(call, subjects);
      dive.fromFrame(Math.floorMod(Seeds.derive("edges", number), MOST_LARGE_FRAMES));
      dive.lookFromElsewhere();
      return dive;
    }
  }

  private static String describe(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      text.append(each).append(" at ");
      text.append(Arrays.stream(each.getStackTrace()).limit(8).toList()).append("; ");
    }
    return text.toString();
  }

  /** One method and the thread that calls it. */
  private static final class Dive {
    private final Subjects subjects;
    private final Method method;
    private final @Nullable Object subject;
    private final Object[] arguments;
    private int frames;
    int endCount;
    int doneCount;
    int damagedCount;
    private @Nullable Throwable unexpected;

    Dive(PublicCall call, Subjects subjects) {
      this.subjects = subjects;
      this.method = call.method();
      this.subject = call.subjectFrom(subjects);
      this.arguments = call.argumentsFrom(subjects);
    }

    /** Larger frames first, so that the end comes at other places. */
    private long fromFrame(int largeCount) {
      if (largeCount == 0) {
        descend();
        return 0;
      }
      long before = fromFrame(largeCount - 1);
      return before + largeCount;
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private void descend() {
      try {
        descend();
      } catch (StackOverflowError e) {
        endCount++;
      }
      frames++;
      if (frames > FRAMES || doneCount >= ENOUGH) {
        return;
      }
      try {
        call();
      } catch (StackOverflowError e) {
        endCount++;
      }
    }

    private void call() {
      try {
        Object result = method.invoke(subject, arguments);
        subjects.results[subjects.resultCount++] = result;
        doneCount++;
      } catch (StackOverflowError e) {
        endCount++;
      } catch (Throwable e) {
        Throwable cause = e.getCause();
        if (cause instanceof StackOverflowError) {
          endCount++;
        } else if (cause instanceof IllegalStateException
            || cause instanceof IllegalArgumentException
            || (cause instanceof AssertionError
                && String.valueOf(cause.getMessage()).startsWith("buffers are open: "))) {
          doneCount++; // closed, or damaged, or just that argument
        } else {
          unexpected = e;
        }
      }
    }

    void callTwice() {
      for (int i = 0; i < 2; i++) {
        call();
        requireExpected();
      }
    }

    private void requireExpected() {
      if (unexpected != null) {
        throw new AssertionError("unexpected", unexpected);
      }
    }

    void lookFromElsewhere() throws InterruptedException {
      requireExpected();
      int[] damaged = new int[1];
      Throwable[] thrown = new Throwable[1];
      Thread other =
          Thread.ofPlatform()
              .daemon()
              .name("other")
              .start(() -> {
                try {
                  int countBefore = subjects.resultCount;
                  call();
                  subjects.closeResults(countBefore); // here: some are confined to this thread
                  damaged[0] = subjects.useAll();
                } catch (Throwable e) {
                  thrown[0] = e;
                }
              });
      if (!other.join(Duration.ofSeconds(MOST_SECONDS))) {
        throw new AssertionError(
            "another thread hangs in "
                + Arrays.stream(other.getStackTrace())
                    .filter(frame -> frame.getClassName().startsWith("dev.arenal."))
                    .limit(4)
                    .toList());
      }
      if (thrown[0] != null) {
        throw new AssertionError("another thread failed: " + describe(thrown[0]), thrown[0]);
      }
      damagedCount = damaged[0];
    }
  }
}
