package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the threads of the library have from the thread that needs them first: nothing. */
final class DaemonThreadsTest {
  @Test
  void cleaner_isOneForAll() {
    Cleaner cleaner = DaemonThreads.cleaner();
    assertThat(DaemonThreads.cleaner()).isSameAs(cleaner);
  }

  @Test
  void thread_inheritsNothing() throws InterruptedException {
    InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
    local.set("of the caller");
    AtomicReference<String> seen = new AtomicReference<>("");
    Thread thread = DaemonThreads.unstarted("test", () -> seen.set(String.valueOf(local.get())));
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getContextClassLoader()).isNull();
    thread.start();
    thread.join();
    assertThat(seen).hasValue("null");
  }
}
