package dev.arenal.agent.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.rewrite.ClassJournal.Entry;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The journal and the loaders of which it keeps none alive. */
@Timeout(90)
final class ClassJournalTest {
  private static final Entry BRIDGED = new Entry(ClassRewrite.Way.BRIDGE, 1);

  private final ClassJournal journal = new ClassJournal();

  /** Its classes are there again, too, and must keep their bridges. */
  @Test
  void loaderThatItsFinalizerKeeps_isKnownOn() throws InterruptedException {
    AtomicReference<@Nullable ClassLoader> saved = new AtomicReference<>();
    noteAndDrop(new Resurrected(saved));
    ClassLoader loader = null;
    while (loader == null) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(10);
      loader = saved.get();
    }
    assertThat(journal.note(new Other(), "app/Other", BRIDGED)).isTrue(); // forgets what is gone
    assertThat(journal.find(loader, "app/Main")).isEqualTo(BRIDGED);
    assertThat(journal.note(loader, "app/Main", BRIDGED)).isFalse();
    assertThat(journal.refuse(loader, "app/Main")).isEqualTo(BRIDGED);
  }

  @Test
  void loaderThatIsGone_isNotKept() throws InterruptedException {
    ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
    var watched = noteAndWatch(gone);
    while (gone.poll() == null) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(watched.refersTo(null)).isTrue();
  }

  private void noteAndDrop(ClassLoader loader) {
    assertThat(journal.note(loader, "app/Main", BRIDGED)).isTrue();
    assertThat(journal.find(loader, "app/Main")).isEqualTo(BRIDGED);
  }

  private PhantomReference<ClassLoader> noteAndWatch(ReferenceQueue<ClassLoader> gone) {
    ClassLoader loader = new Other();
    noteAndDrop(loader);
    return new PhantomReference<>(loader, gone);
  }

  private static final class Other extends ClassLoader {}

  private static final class Resurrected extends ClassLoader {
    private final AtomicReference<@Nullable ClassLoader> saved;

    Resurrected(AtomicReference<@Nullable ClassLoader> saved) {
      this.saved = saved;
    }

    @Override
    @SuppressWarnings({"removal", "Finalize"}) // as programs have it
    protected void finalize() {
      saved.set(this);
    }
  }
}
