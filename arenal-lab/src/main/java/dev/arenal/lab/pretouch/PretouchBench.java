package dev.arenal.lab.pretouch;

import dev.arenal.lab.process.ChildFailedException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where subjects run: in processes of this machine, or in a test's imagination. */
interface PretouchBench {
  /** Why a subject cannot run here; null if it can. */
  @Nullable String leftOut(PretouchSubject subject) throws IOException, InterruptedException;

  /** Makes the machine have so much memory at hand, which a virtual one may have given away. */
  void warmUp(long sizeBytes) throws IOException, InterruptedException, ChildFailedException;

  /** Runs a subject once. */
  PretouchSample run(PretouchSubject subject, long sizeBytes)
      throws IOException, InterruptedException, ChildFailedException;

  /** Asks for so much, which is more than there is. */
  Refusal refuse(long askedBytes) throws IOException, InterruptedException, ChildFailedException;

  /** Messages of subjects that a person should know. */
  List<String> notes();

  /** Memory that this machine could give now. */
  long availableBytes();
}
