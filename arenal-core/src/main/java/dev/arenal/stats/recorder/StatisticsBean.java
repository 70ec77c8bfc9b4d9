package dev.arenal.stats.recorder;

import dev.arenal.stats.StatisticsMXBean;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceConfigurationError;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanRegistration;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The MXBean of one recorder and its registration. It keeps the recorder alive as little as the
 * thread does, and a server that refuses is a line in the log.
 */
final class StatisticsBean implements StatisticsMXBean, MBeanRegistration {
  private static final int MOST_SAME_NAMES = 1000;

  private final WeakReference<StatisticsRecorder> recorder;
  private final String kind;
  private final String name;

  /** The name that the server is asked for. Guarded by the recorder's entry, as is the rest. */
  private @Nullable ObjectName asked;

  /** The name under which it is registered. */
  private @Nullable ObjectName registered;

  private boolean wasTried;

  StatisticsBean(StatisticsRecorder recorder) {
    this.recorder = new WeakReference<>(recorder);
    this.kind = recorder.kind();
    this.name = recorder.name();
  }

  /** Whether it has the beans of the JVM; it may be the program's code, so without a lock. */
  static boolean isOfPlatform(MBeanServer server) {
    try {
      return server.isRegistered(new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME));
    } catch (JMException | RuntimeException e) {
      return false;
    }
  }

  @Override
  public String getKind() {
    return kind;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public String getTable() {
    return table().toString();
  }

  @Override
  public Map<String, StatisticsRow> getRows() {
    Map<String, StatisticsRow> rows = new LinkedHashMap<>();
    for (StatisticsRow row : table().rows()) {
      rows.put(row.group() + ": " + row.row() + " (" + row.unit() + ")", row);
    }
    return rows;
  }

  private StatisticsTable table() {
    StatisticsRecorder alive = recorder.get();
    if (alive == null) {
      throw new IllegalStateException("allocator is gone: kind=" + kind + ", name=" + name);
    }
    return alive.snapshot();
  }

  /**
   * Tries once.
   *
   * @return why it has failed, for {@link #tell}
   */
  @Nullable Throwable register() {
    if (wasTried || registered != null) {
      return null;
    }
    try {
      register(ManagementFactory.getPlatformMBeanServer());
      wasTried = true; // not where the Java heap was full: the next second tries again
      return null;
    } catch (JMException | RuntimeException | LinkageError | ServiceConfigurationError e) {
      wasTried = true;
      return e;
    }
  }

  private void register(MBeanServer server) throws JMException {
    for (int number = 1; number <= MOST_SAME_NAMES; number++) {
      try {
        ObjectName objectName = objectName(number == 1 ? name : name + "#" + number);
        server.registerMBean(this, objectName);
        return;
      } catch (InstanceAlreadyExistsException e) {
        // The next number.
      }
    }
    throw new InstanceAlreadyExistsException(name);
  }

  private ObjectName objectName(String unique) throws JMException {
    String type = kind.matches("\\w+") ? kind : ObjectName.quote(kind);
    return new ObjectName("dev.arenal:type=" + type + ",name=" + ObjectName.quote(unique));
  }

  @Override
  public ObjectName preRegister(MBeanServer server, ObjectName objectName) {
    asked = objectName;
    return objectName;
  }

  /** Not by what the call returns: on a full Java heap it may have registered and throw. */
  @Override
  public void postRegister(Boolean isDone) {
    registered = isDone ? asked : null;
  }

  @Override
  public void preDeregister() {}

  @Override
  public void postDeregister() {}

  /** Says what has failed: by the program's code, so without a lock. */
  void tell(@Nullable Throwable failure) {
    if (failure != null) {
      Log.beanFailed(kind, name, failure);
    }
  }

  /** The name to {@link #unregister}, for the one thread that gets it; null if there is none. */
  @Nullable ObjectName takeName() {
    ObjectName known = registered;
    registered = null;
    return known;
  }

  /** It is still registered under that name. */
  void putBack(ObjectName known) {
    registered = known;
  }

  /** Returns why it has failed, for {@link #tell}; without the monitor of the entry. */
  static @Nullable Throwable unregister(ObjectName known) {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(known);
      return null;
    } catch (JMException | RuntimeException e) {
      return e;
    }
  }
}
