package dev.arenal.micrometer;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters for spaces, page allocators and budgets.
 *
 * <pre>{@code
 * ArenalMetrics metrics = new ArenalMetrics().add(tenants).add(pages);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>Each meter has two tags: {@code allocator} is the name of the owner, and {@code kind} is
 * {@code space}, {@code pages} or {@code budget}. A constructor takes further tags. Owners of the
 * same kind and name share their meters, and their figures are added up; use one object of this
 * class for all owners that may share a name. An owner added after {@link #bindTo} gets its meters
 * at once.
 *
 * <p>Owners are referenced weakly. An owner that was closed or collected shows no memory at the
 * next scrape, and its meters are removed at a scrape a minute later. Another owner that gets the
 * name meanwhile takes over these meters, and the counters continue. A damaged owner keeps its
 * meters until it is closed, and {@code arenal.allocator.damaged} shows that it no longer serves
 * requests. A budget is never closed. Each owner counts once, even if it is added several times.
 *
 * <p><b>Threading:</b> all methods may be called by any thread. <b>Cost:</b> nothing between
 * scrapes, except that spaces {@linkplain ElasticSpace#statistics record} from now on. A scrape
 * reads the report and the statistics of each owner, at most once a second and never for more than
 * a hundredth of the time; it takes no native memory. The report of a space looks at every open
 * arena under the lock of the space. Only {@code arenal.memory.resident} asks the kernel, which
 * takes a quarter of a millisecond for each committed GiB ({@link PageAllocator#residentBytes}): at
 * most every ten seconds, and likewise never for more than a hundredth of the time.
 */
public final class ArenalMetrics implements MeterBinder, AutoCloseable {
  private final LongSupplier clockNanos;
  private final Tags commonTags;

  /** Guarded by this, as all below. */
  private final List<Group> groups = new ArrayList<>();

  private final List<MeterRegistry> registries = new ArrayList<>();
  private final List<Bound> bound = new ArrayList<>();
  private boolean isClosed;

  /** Meters that are new to their registry since a registration began; null while none runs. */
  private @Nullable Set<Meter> added;

  /** The group that was checked last when another one was added. */
  private int hand;

  private record Bound(MeterRegistry registry, Meter meter, Group group) {}

  /** Creates an object without owners. */
  public ArenalMetrics() {
    this(Tags.empty());
  }

  /**
   * Creates an object without owners. Its meters have further tags.
   *
   * @param tags the tags beside {@code allocator} and {@code kind}, which replace tags of these
   *     names
   */
  public ArenalMetrics(Iterable<Tag> tags) {
    this(Tags.of(tags), System::nanoTime);
  }

  /** For tests, with their own clock. */
  ArenalMetrics(Tags commonTags, LongSupplier clockNanos) {
    this.commonTags = commonTags;
    this.clockNanos = clockNanos;
  }

  /**
   * Adds a space, and starts recording its statistics.
   *
   * @return this
   * @throws IllegalStateException if this is closed
   */
  public ArenalMetrics add(ElasticSpace space) {
    add("space", space.name(), Source.of(space));
    return this;
  }

  /**
   * Adds a page allocator.
   *
   * @return this
   * @throws IllegalStateException if this is closed
   */
  public ArenalMetrics add(PageAllocator pages) {
    add("pages", pages.name(), Source.of(pages));
    return this;
  }

  /**
   * Adds a budget: the bytes that all its users have committed, and its limit. The program must
   * keep a reference to the budget.
   *
   * @return this
   * @throws IllegalStateException if this is closed
   */
  public ArenalMetrics add(Budget budget) {
    add("budget", budget.name(), Source.of(budget));
    return this;
  }

  private synchronized void add(String kind, String name, Source<?> source) {
    requireOpen();
    lookAtSome();
    removeOver();
    for (Group group : groups) {
      if (group.kind.equals(kind) && group.name.equals(name) && group.add(source)) {
        return;
      }
    }
    removeOver();
    Group group = new Group(kind, name, clockNanos);
    if (group.add(source)) {
      group.hasLimit = group.lacksLimit();
      groups.add(group);
      registries.forEach(registry -> bind(registry, group));
    }
  }

  /**
   * Registers the meters of all owners, those added later included. Meters that the registry
   * already has from another object of this class do not change, and stay when this is closed.
   *
   * @throws IllegalStateException if this is closed
   */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    requireOpen();
    Objects.requireNonNull(registry, "registry");
    if (!registries.contains(registry)) {
      for (Group group : groups) {
        var _ = group.figures();
        if (group.lacksLimit()) {
          bindLimit(group); // in the registries that are there, which may not be scraped meanwhile
        }
      }
      registries.add(registry);
      listenTo(registry);
      groups.forEach(group -> bind(registry, group));
    }
  }

  /**
   * Removes all meters that this object has registered. Has no effect if this is already closed.
   */
  @Override
  public synchronized void close() {
    isClosed = true;
    bound.forEach(one -> one.registry.remove(one.meter));
    bound.clear();
    groups.clear();
    registries.clear();
  }

  /** Two for each that is added, so that they do not grow without end if there are no scrapes. */
  private void lookAtSome() {
    for (int i = 0; i < Math.min(2, groups.size()); i++) {
      hand = (hand + 1) % groups.size();
      var _ = groups.get(hand).figures();
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("metrics are closed (expected open ones)");
    }
  }

  /** Scrapes call this from inside a meter. */
  private synchronized void removeOver() {
    Set<Group> over = groups.stream().filter(Group::isOver).collect(Collectors.toSet());
    if (over.isEmpty()) { // mostly: each owner that is added asks, and there may be thousands
      return;
    }
    for (Iterator<Bound> all = bound.iterator(); all.hasNext(); ) {
      Bound one = all.next();
      if (over.contains(one.group)) {
        all.remove();
        one.registry.remove(one.meter);
      }
    }
    groups.removeAll(over);
  }

  /** The limit of a budget may be set later. Scrapes call this from inside a meter. */
  private synchronized void bindLimit(Group group) {
    if (!group.hasLimit && groups.contains(group)) {
      group.hasLimit = true;
      registries.forEach(registry -> bind(new Meters(registry, group)::registerLimit));
    }
  }

  /**
   * Has the registry tell which meters are new to it. A registry never forgets a listener, so it
   * must not keep this.
   */
  private void listenTo(MeterRegistry registry) {
    WeakReference<ArenalMetrics> self = new WeakReference<>(this);
    var _ =
        registry
            .config()
            .onMeterAdded(meter -> {
              ArenalMetrics metrics = self.get();
              if (metrics != null) {
                metrics.noteAdded(meter);
              }
            });
  }

  /**
   * Called with a lock of the registry, by any thread: one that registers something else is not
   * made to wait for the monitor.
   */
  @SuppressWarnings("GuardedBy") // holdsLock
  private void noteAdded(Meter meter) {
    if (Thread.holdsLock(this) && added != null) {
      var _ = added.add(meter);
    }
  }

  private void bind(MeterRegistry registry, Group group) {
    bind(new Meters(registry, group)::registerAll);
  }

  private void bind(Runnable registration) {
    Set<Meter> outer = added; // a listener of the program may read a meter, which may get a limit
    added = Collections.newSetFromMap(new IdentityHashMap<>());
    try {
      registration.run();
    } finally {
      added = outer;
    }
  }

  private double read(Group group, ToDoubleFunction<Figures> figure) {
    Figures figures = group.figures();
    if (group.isOver()) {
      removeOver();
    } else if (group.lacksLimit()) {
      bindLimit(group);
    }
    return figure.applyAsDouble(figures);
  }

  /** The meters of a group in one registry. */
  private final class Meters {
    private final MeterRegistry registry;
    private final Group group;
    private final Tags tags;

    Meters(MeterRegistry registry, Group group) {
      this.registry = registry;
      this.group = group;
      this.tags = commonTags.and("allocator", group.name, "kind", group.kind);
    }

    void registerAll() {
      boolean isBudget = group.kind.equals("budget");
      if (!isBudget) {
        gauge("used", "Bytes in use", Figures::usedBytes);
        gauge("free", "Committed inside chunks or pages in use, and free", Figures::freeBytes);
        gauge(
            "waste",
            "Committed inside chunks or pages in use, and neither used nor free",
            Figures::wasteBytes);
        gauge("cached", "Committed and in no chunk or page in use", Figures::cachedBytes);
        gauge("resident", "Committed and in physical memory", _ -> group.residentBytes());
      }
      gauge("committed", "Counted against the budget", Figures::committedBytes);
      if (group.hasLimit) {
        registerLimit();
      }
      if (!isBudget) {
        counter(
            "arenal.memory.uncommitted",
            BaseUnits.BYTES,
            "Given back to the operating system",
            Figures::uncommittedBytes);
        counter(
            "arenal.allocation.failures",
            null,
            "Requests refused for lack of memory",
            Figures::failures);
        note(
            Gauge.builder("arenal.allocator.damaged", () -> read(group, Figures::damaged))
                .tags(tags)
                .description(
                    "Owners that no longer serve requests because an operation ended in the middle")
                .register(registry));
      }
      if (group.kind.equals("pages")) {
        registerStalls();
      }
    }

    void registerLimit() {
      gauge("limit", "The most that may be committed", Figures::limitOrInfinity);
    }

    private void registerStalls() {
      String name = "arenal.allocation.stall";
      note(
          FunctionTimer.builder(
                  name,
                  group,
                  _ -> (long) read(group, Figures::stalls),
                  _ -> read(group, Figures::stallNanos),
                  TimeUnit.NANOSECONDS)
              .tags(tags)
              .description("Threads that waited for memory")
              .register(registry));
      note(
          TimeGauge.builder(
                  name + ".max", () -> read(group, Figures::stallMaxNanos), TimeUnit.NANOSECONDS)
              .tags(tags)
              .description("The longest wait for memory in the last ten minutes")
              .register(registry));
      note(
          Gauge.builder("arenal.allocation.waiting", () -> read(group, Figures::waitingThreads))
              .tags(tags)
              .baseUnit(BaseUnits.THREADS)
              .description("Threads that wait for memory now")
              .register(registry));
    }

    private void gauge(String what, String description, ToDoubleFunction<Figures> figure) {
      note(
          Gauge.builder("arenal.memory." + what, () -> read(group, figure))
              .tags(tags)
              .baseUnit(BaseUnits.BYTES)
              .description(description)
              .register(registry));
    }

    /** The function holds the group: the registry holds the object beside it weakly. */
    private void counter(
        String name, @Nullable String unit, String description, ToDoubleFunction<Figures> figure) {
      note(
          FunctionCounter.builder(name, group, _ -> read(group, figure))
              .tags(tags)
              .baseUnit(unit)
              .description(description)
              .register(registry));
    }

    /**
     * A registry answers with the meter that it has: one of another binder is not ours to remove.
     * To look for it among all that the registry has would take longer for each owner more.
     */
    private void note(Meter meter) {
      if (added != null && added.contains(meter)) {
        bound.add(new Bound(registry, meter, group));
      }
    }
  }
}
