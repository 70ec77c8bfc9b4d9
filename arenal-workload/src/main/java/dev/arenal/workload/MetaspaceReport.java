package dev.arenal.workload;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The output of {@code jcmd VM.metaspace}, asked for from inside.
 *
 * <p>A bean of the JVM runs the same command. So the report is of exactly the moment that is meant,
 * nothing needs to attach, and a runtime without {@code jcmd} has a report too.
 */
final class MetaspaceReport {
  private MetaspaceReport() {}

  /** The text of the report; null where the JVM has no such command. */
  static @Nullable String text(String... options) {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName command = new ObjectName("com.sun.management:type=DiagnosticCommand");
      return String.valueOf(
          server.invoke(
              command,
              "vmMetaspace",
              new Object[] {options},
              new String[] {String[].class.getName()}));
    } catch (JMException | RuntimeException e) {
      // A runtime without the module jdk.management, or a JVM that is not HotSpot.
      return null;
    }
  }
}
