package dev.arenal.elastic;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The thread that makes memory ready, and the clock by which a space is found to grow fast; tests
 * bring their own.
 *
 * @param requests told, without any lock, that a space may have something to do
 * @param nanoTime as {@link System#nanoTime()}
 */
record TouchHelper(Consumer<TouchAhead> requests, LongSupplier nanoTime) {
  static final TouchHelper THREAD = new TouchHelper(TouchThread::request, System::nanoTime);
}
