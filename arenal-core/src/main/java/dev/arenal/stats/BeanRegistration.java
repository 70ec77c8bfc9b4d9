package dev.arenal.stats;

import javax.management.MBeanServerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Registers one recorder with JMX as soon as this process has an MBean server, created by an agent
 * that the JVM was started with, a tool that attaches itself, or the program. Making one for the
 * purpose takes 130 classes and the better part of a hundred milliseconds, which most programs
 * would pay for nothing.
 *
 * <p>Until then no class of the module {@code java.management} is touched but one.
 */
final class BeanRegistration {
  /** Guarded by this, as is the rest. */
  private @Nullable StatisticsBean bean;

  private boolean isOver;

  /** Whether there is a server; asked once for all recorders, by the sampling thread. */
  static boolean hasServer() {
    try {
      return !MBeanServerFactory.findMBeanServer(null).isEmpty();
    } catch (LinkageError e) {
      return false; // a run-time image without that module
    }
  }

  /** Registers it, if it is not; called where there is a server. */
  void register(StatisticsRecorder recorder) {
    StatisticsBean known;
    Throwable failure;
    synchronized (this) {
      if (isOver) {
        return;
      }
      known = bean == null ? new StatisticsBean(recorder) : bean;
      bean = known;
      failure = known.register();
    }
    known.tell(failure);
  }

  /** It is not registered from now on. */
  void unregister() {
    StatisticsBean known;
    Throwable failure = null;
    synchronized (this) {
      isOver = true;
      known = bean;
      if (known != null) {
        failure = known.unregister();
      }
    }
    if (known != null) {
      known.tell(failure);
    }
  }
}
