package dev.arenal.stats.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.stats.Await;
import dev.arenal.stats.StatisticsMXBean;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsUnit;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The MXBean, read through the server of the platform. */
@Timeout(60)
final class StatisticsMXBeanTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @Test
  void rows_areTabularAndCompositeData() throws JMException {
    ObjectName bean = new ObjectName("dev.arenal:type=Test,name=\"bean\"");
    try (StatisticsRecorder recorder = StatisticsRecorder.open("Test", "bean")) {
      Counter counter = recorder.counter("Memory", "Commit", StatisticsUnit.BYTES_PER_SECOND);
      counter.add(7);
      Await.until(() -> SERVER.isRegistered(bean));
      assertThat(SERVER.getAttribute(bean, "Kind")).isEqualTo("Test");
      assertThat(SERVER.getAttribute(bean, "Name")).isEqualTo("bean");
      assertThat((String) SERVER.getAttribute(bean, "Table"))
          .startsWith("=== Memory Statistics: Test bean ====")
          .contains("\n     Memory: Commit         ");
      TabularData rows = (TabularData) SERVER.getAttribute(bean, "Rows");
      CompositeData entry = rows.get(new Object[] {"Memory: Commit (BYTES_PER_SECOND)"});
      CompositeData row = (CompositeData) Objects.requireNonNull(entry.get("value"));
      assertThat(row.get("unit")).isEqualTo("BYTES_PER_SECOND");
      CompositeData total = (CompositeData) Objects.requireNonNull(row.get("total"));
      assertThat((long) total.get("sum") + (long) row.get("pending")).isEqualTo(7);
    }
    assertThat(SERVER.isRegistered(bean)).isFalse();
  }

  @Test
  void proxy_givesTheRecords() throws JMException {
    ObjectName name = new ObjectName("dev.arenal:type=Test,name=\"proxy\"");
    try (StatisticsRecorder recorder = StatisticsRecorder.open("Test", "proxy")) {
      recorder.counter("Memory", "Commit", StatisticsUnit.BYTES_PER_SECOND).add(9);
      Await.until(() -> SERVER.isRegistered(name));
      StatisticsMXBean bean = JMX.newMXBeanProxy(SERVER, name, StatisticsMXBean.class);
      StatisticsRow row = bean.getRows().get("Memory: Commit (BYTES_PER_SECOND)");
      assertThat(Objects.requireNonNull(row).sumEver()).isEqualTo(9);
    }
  }

  @Test
  void strangeAndEqualNames_areAllRegistered() throws JMException {
    String name = "a,b=\"c\"*?\n:";
    List<StatisticsRecorder> recorders = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      recorders.add(StatisticsRecorder.open("A kind, of", name));
    }
    List<ObjectName> names = new ArrayList<>();
    for (String unique : List.of(name, name + "#2", name + "#3")) {
      names.add(new ObjectName("dev.arenal:type=\"A kind, of\",name=" + ObjectName.quote(unique)));
    }
    Await.until(() -> names.stream().allMatch(SERVER::isRegistered));
    recorders.forEach(StatisticsRecorder::close);
    assertThat(names).noneMatch(SERVER::isRegistered);
  }

  @Test
  void closedBeforeItIsRegistered_neverIs() throws JMException {
    for (int i = 0; i < 200; i++) {
      StatisticsRecorder.open("Test", "brief").close();
    }
    assertThat(SERVER.queryNames(new ObjectName("dev.arenal:type=Test,name=\"brief*\""), null))
        .isEmpty();
  }

  /** The program has removed it: closing neither fails nor removes more. */
  @Test
  void removedByOthers_isLeftAlone() throws JMException {
    ObjectName bean = new ObjectName("dev.arenal:type=Test,name=\"removed\"");
    StatisticsRecorder recorder = StatisticsRecorder.open("Test", "removed");
    Await.until(() -> SERVER.isRegistered(bean));
    SERVER.unregisterMBean(bean);
    recorder.close();
    assertThat(SERVER.isRegistered(bean)).isFalse();
  }
}
