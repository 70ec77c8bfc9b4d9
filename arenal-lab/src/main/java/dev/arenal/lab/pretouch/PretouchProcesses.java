package dev.arenal.lab.pretouch;

import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The subjects in processes of this machine. */
final class PretouchProcesses implements PretouchBench, AutoCloseable {
  /** The collector of a process that has next to nothing on its heap. */
  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx64m");

  private static final String NAME = "pretouch";
  private static final long TRIAL_BYTES = 64 * PretouchPlan.MIB;
  private static final Path KERNEL_COUNTERS = Path.of("/proc/vmstat");

  private final PretouchPlan plan;
  private final List<String> program;
  private final @Nullable KernelProgram kernel;
  private final Set<String> said = new LinkedHashSet<>();

  /** The reasons why the program in C and JVMs cannot run, by subject; tried once. */
  private final Map<String, String> unable = new LinkedHashMap<>();

  private PretouchProcesses(
      PretouchPlan plan, List<String> program, @Nullable KernelProgram kernel) {
    this.plan = plan;
    this.program = List.copyOf(program);
    this.kernel = kernel;
  }

  static PretouchProcesses open(PretouchPlan plan, List<String> program)
      throws IOException, InterruptedException {
    return new PretouchProcesses(plan, program, KernelProgram.compile(KernelProgram.COMPILERS));
  }

  @Override
  public @Nullable String leftOut(PretouchSubject subject)
      throws IOException, InterruptedException {
    if (subject.kind() == Kind.ARENAL) {
      return null;
    }
    String contender =
        subject.kind() == Kind.JVM
            ? subject.jvm() + " " + collector(subject)
            : subject.method().label();
    if (!unable.containsKey(contender)) {
      unable.put(contender, tryOut(subject));
    }
    String reason = unable.getOrDefault(contender, "");
    return reason.isEmpty() ? null : reason;
  }

  /** A small run, which also brings its files into memory; empty if it went well. */
  private String tryOut(PretouchSubject subject) throws IOException, InterruptedException {
    if (subject.kind() == Kind.KERNEL && kernel == null) {
      return "the program in C is left out: no compiler (expected one of "
          + String.join(", ", KernelProgram.COMPILERS)
          + ")";
    }
    try {
      var _ = run(subject, TRIAL_BYTES);
      return "";
    } catch (ChildFailedException e) {
      return "%s is left out: %s".formatted(subject.label(), e.getMessage());
    }
  }

  @Override
  public void warmUp(long subjectBytes)
      throws IOException, InterruptedException, ChildFailedException {
    // A little more than the subject touches: it has code, stacks and tables, too.
    long sizeBytes = PretouchPlan.warmUpBytes(subjectBytes);
    if (kernel != null) {
      // Touching is what every kernel can.
      var _ = kernel.run("touch", sizeBytes, plan.threadCount(), true);
    } else {
      var _ = run(PretouchSubject.arenal(Method.POPULATE, true, plan.threadCount()), sizeBytes);
    }
  }

  @Override
  public PretouchSample run(PretouchSubject subject, long sizeBytes)
      throws IOException, InterruptedException, ChildFailedException {
    return switch (subject.kind()) {
      case JVM -> runJvm(subject, sizeBytes);
      case ARENAL -> runArenal(subject, sizeBytes);
      case KERNEL -> runKernel(subject, sizeBytes);
    };
  }

  private PretouchSample runJvm(PretouchSubject subject, long sizeBytes)
      throws IOException, InterruptedException, ChildFailedException {
    JvmSpec jvm =
        plan.jvms().stream()
            .filter(spec -> spec.label().equals(subject.jvm()))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no such JVM: " + subject.label()));
    JvmStart.Outcome outcome =
        JvmStart.run(
            "jvm=%s, sizeBytes=%d".formatted(subject.label(), sizeBytes),
            JvmStart.command(jvm, subject, sizeBytes, program));
    for (String line : outcome.said()) {
      // Without the JVM's clock, which says something else each time.
      String words = line.replaceFirst("^\\[[0-9.,]+s\\]", "");
      said.add("%s %s says: %s".formatted(subject.jvm(), collector(subject), words));
    }
    return outcome.sample();
  }

  private static String collector(PretouchSubject subject) {
    return subject.collector() == null ? "" : subject.collector().label();
  }

  private PretouchSample runArenal(PretouchSubject subject, long sizeBytes)
      throws IOException, InterruptedException, ChildFailedException {
    List<String> words =
        List.of(
            subject.method().name(),
            String.valueOf(sizeBytes),
            String.valueOf(threadCount(subject)),
            String.valueOf(subject.hugePages()),
            kernel == null ? ArenalChild.NO_WARM_UP : kernel.path().toString());
    return new Child(NAME, "subject=%s, sizeBytes=%d".formatted(subject.label(), sizeBytes))
        .flags(FLAGS)
        .run(ArenalChild.class, words, PretouchSample.class, _ -> {});
  }

  private PretouchSample runKernel(PretouchSubject subject, long sizeBytes)
      throws IOException, InterruptedException, ChildFailedException {
    if (kernel == null) {
      throw new IllegalStateException("no compiler: subject=" + subject.label());
    }
    return kernel.run(
        subject.method().label(), sizeBytes, threadCount(subject), subject.hugePages());
  }

  private int threadCount(PretouchSubject subject) {
    Integer count = subject.threadCount();
    return count == null ? plan.threadCount() : count;
  }

  @Override
  public Refusal refuse(long askedBytes)
      throws IOException, InterruptedException, ChildFailedException {
    long killedBeforeCount = killedCount();
    Refusal refusal =
        new Child("refusal", "askedBytes=" + askedBytes)
            .flags(FLAGS)
            .run(
                RefusalChild.class,
                List.of("" + askedBytes, "" + plan.threadCount()),
                Refusal.class,
                _ -> {});
    return killedBeforeCount < 0 ? refusal : refusal.withKilled(killedCount() - killedBeforeCount);
  }

  /** Processes that the kernel has ended for want of memory; -1 if it does not say. */
  private static long killedCount() {
    try {
      for (String line : Files.readAllLines(KERNEL_COUNTERS)) {
        if (line.startsWith("oom_kill ")) {
          return Long.parseLong(line.substring("oom_kill ".length()).strip());
        }
      }
    } catch (IOException e) {
      // A container may hide it.
      return -1;
    }
    return -1;
  }

  @Override
  public List<String> notes() {
    return new ArrayList<>(said);
  }

  @Override
  public long availableBytes() {
    return AvailableMemory.now().bytes();
  }

  @Override
  public void close() {
    if (kernel != null) {
      kernel.close();
    }
  }
}
