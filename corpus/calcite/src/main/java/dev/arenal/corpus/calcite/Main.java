package dev.arenal.corpus.calcite;

import dev.arenal.corpus.common.Deployment;
import dev.arenal.corpus.common.Metaspace;
import java.lang.ref.WeakReference;
import java.util.function.IntConsumer;

/**
 * A server with a query engine, Apache Calcite: its tenants prepare statements, each compiled into
 * classes with a loader of their own and closed when others are used more. The service is replaced
 * by a new version in the day, while the old one drains, and is down in the night between.
 */
public final class Main {
  private static final int REQUESTS_OF_DAY_1 = 500;
  private static final int REQUESTS_OF_VERSION_2 = 120;
  private static final int REQUESTS_OF_DRAINING = 60;
  private static final int REQUESTS_OF_VERSION_3 = 350;
  private static final String SERVICE = Main.class.getPackageName() + ".QueryService";

  /** A version that takes the place of another, and the loader of the other. */
  private record Replacement(Deployment<IntConsumer> late, WeakReference<ClassLoader> early) {}

  private Main() {}

  public static void main(String[] args) throws Exception {
    Metaspace.say("start");
    Metaspace.collect(firstDay());
    Metaspace.say("night, service down");
    Metaspace.collect(secondDay());
    Metaspace.say("end, all closed");
    System.exit(0);
  }

  /** A method of its own, lest a local of the caller's keeps the service. */
  private static WeakReference<ClassLoader> firstDay() throws Exception {
    try (Deployment<IntConsumer> only = deploy(1)) {
      serve(only, REQUESTS_OF_DAY_1);
      Metaspace.say("day 1, all served");
      return only.loader();
    }
  }

  private static WeakReference<ClassLoader> secondDay() throws Exception {
    Replacement replacement = replace();
    try (Deployment<IntConsumer> late = replacement.late()) {
      // As the manager of an application server does when something was undeployed.
      Metaspace.collect(replacement.early());
      Metaspace.say("day 2, version 2 gone");
      serve(late, REQUESTS_OF_VERSION_3);
      Metaspace.say("day 2, all served");
      return late.loader();
    }
  }

  private static Replacement replace() throws Exception {
    try (Deployment<IntConsumer> early = deploy(2)) {
      serve(early, REQUESTS_OF_VERSION_2);
      Metaspace.say("day 2, before version 3");
      Deployment<IntConsumer> late = deploy(3);
      // Each second request belongs to a session that is still open in the old version.
      for (int i = 0; i < REQUESTS_OF_DRAINING; i++) {
        answer(i % 2 == 0 ? early : late, i);
      }
      Metaspace.say("day 2, both versions");
      return new Replacement(late, early.loader());
    }
  }

  private static void serve(Deployment<IntConsumer> deployment, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      answer(deployment, i);
    }
  }

  private static void answer(Deployment<IntConsumer> deployment, int request) throws Exception {
    deployment.run(service -> service.accept(request));
  }

  private static Deployment<IntConsumer> deploy(int version) throws Exception {
    return new Deployment<>("service-" + version, IntConsumer.class, SERVICE, version);
  }
}
