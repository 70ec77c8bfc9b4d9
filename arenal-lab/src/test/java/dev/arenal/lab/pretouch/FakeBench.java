package dev.arenal.lab.pretouch;

import dev.arenal.lab.process.ChildFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Notes what it is asked for, and answers with figures made up. */
final class FakeBench implements PretouchBench {
  final List<String> calls = new ArrayList<>();
  Predicate<PretouchSubject> isAbsent = _ -> false;
  Predicate<PretouchSubject> isFailing = _ -> false;
  boolean isWarmUpFailing;
  boolean isRefusalFailing;
  long availableBytes = 8 * PretouchPlan.GIB;

  /** The memory that others take after so many calls. */
  int callCountUntilFull = Integer.MAX_VALUE;

  @Override
  public @Nullable String leftOut(PretouchSubject subject) {
    return isAbsent.test(subject) ? "not here" : null;
  }

  @Override
  public void warmUp(long sizeBytes) throws ChildFailedException {
    if (isWarmUpFailing) {
      throw new ChildFailedException("warm-up died");
    }
    calls.add("warm-up " + sizeBytes / PretouchPlan.GIB);
  }

  @Override
  public PretouchSample run(PretouchSubject subject, long sizeBytes) throws ChildFailedException {
    calls.add(subject.label());
    if (isFailing.test(subject)) {
      throw new ChildFailedException("died: " + subject.label());
    }
    return Pretouches.sample(subject, sizeBytes, 1);
  }

  @Override
  public Refusal refuse(long askedBytes) throws ChildFailedException {
    if (isRefusalFailing) {
      throw new ChildFailedException("refusal died");
    }
    return new Refusal(askedBytes, 1, 2, "no", 1, 0L);
  }

  @Override
  public List<String> notes() {
    return List.of("the kernel says: x");
  }

  @Override
  public long availableBytes() {
    return calls.size() >= callCountUntilFull ? 0 : availableBytes;
  }
}
