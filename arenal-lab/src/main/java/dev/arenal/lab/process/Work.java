package dev.arenal.lab.process;

import java.io.IOException;

/**
 * A piece of work for a process of its own: a record, which goes there as JSON as its result comes
 * back.
 *
 * @param <R> the result, a record
 */
public interface Work<R> {
  /** Does it, in the process that {@link Child} has started for it. */
  R run() throws IOException, InterruptedException;
}
