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
  synchronized void register(StatisticsRecorder recorder) {
    if (isOver) {
      return;
    }
    if (bean == null) {
      bean = new StatisticsBean(recorder);
    }
    bean.register();
  }

  /** It is not registered from now on. */
  synchronized void unregister() {
    isOver = true;
    if (bean != null) {
      bean.unregister();
    }
  }
}
