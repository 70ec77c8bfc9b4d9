package dev.arenal.page;

import dev.arenal.pretouch.Pretouch;
import org.jspecify.annotations.Nullable;

/**
 * The program's callbacks of one pretouch. They are called with nothing half done, so that a {@link
 * StackOverflowError} of their own ends the pretouch like any other exception, and is no damage.
 */
final class PretouchCallbacks {
  private final Pretouch settings;

  /** Of any thread of the pretouch; the first ends it. */
  private volatile @Nullable StackOverflowError thrown;

  PretouchCallbacks(Pretouch wanted) {
    this.settings =
        wanted
            .onProgress((doneBytes, totalBytes) -> {
              try {
                wanted.progress().touched(doneBytes, totalBytes);
              } catch (StackOverflowError e) {
                thrown = e;
                throw e;
              }
            })
            .cancelWhen(() -> {
              try {
                return wanted.cancelled().getAsBoolean();
              } catch (StackOverflowError e) {
                thrown = e;
                throw e;
              }
            });
  }

  /** The wanted pretouch, with callbacks that are watched. */
  Pretouch settings() {
    return settings;
  }

  /** Whether an error came out of a callback. */
  boolean haveThrown(StackOverflowError error) {
    return error.equals(thrown);
  }
}
