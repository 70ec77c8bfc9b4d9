package dev.arenal.corpus.felix;

import dev.arenal.corpus.common.Folders;
import dev.arenal.corpus.common.Metaspace;
import dev.arenal.corpus.common.Zipf;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.osgi.framework.BundleException;

/**
 * An OSGi server with many tenants, each a bundle that imports shared libraries or embeds its own,
 * as in a content management system. Tenants come, are updated and go while others are in use; now
 * and then a shared bundle is replaced and all that use it are wired anew.
 */
public final class Main {
  private static final long SEED = 20_261_123;
  private static final int API_COUNT = 6;
  private static final int FIRST_DAYS = 34;
  private static final int SECOND_DAYS = 30;
  private static final int REQUESTS_PER_DAY = 12;
  private static final int DAYS_PER_REFRESH = 15;
  private static final int TENANTS_IN_QUIET = 3;
  private static final double DEPLOYS = 0.6;
  private static final double UPDATES = 0.3;

  private final Random random = new Random(SEED);
  private final Server server;
  private final Platform platform;
  private final Tenants tenants;

  private Main(Server server) {
    this.server = server;
    platform = new Platform(server, random);
    tenants = new Tenants(server, platform, random);
  }

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    Path cache = Files.createTempDirectory("felix");
    try {
      try (Server server = Server.start(cache)) {
        Metaspace.say("framework started");
        new Main(server).run();
      }
      Metaspace.collect();
      Metaspace.say("framework stopped");
    } finally {
      Folders.delete(cache);
    }
  }

  private void run() throws BundleException, InterruptedException {
    platform.installLibraries();
    platform.installApis(API_COUNT);
    season(FIRST_DAYS);
    Metaspace.say("first peak");
    leave(TENANTS_IN_QUIET);
    Metaspace.say("quiet");
    season(SECOND_DAYS);
    Metaspace.say("second peak");
    leave(0);
    Metaspace.say("no tenants");
  }

  private void season(int days) throws InterruptedException {
    for (int day = 1; day <= days; day++) {
      int today = day;
      inThread(() -> {
        deploy();
        request();
        if (today % DAYS_PER_REFRESH == 0) {
          maintain(today / DAYS_PER_REFRESH);
        }
        return null;
      });
    }
  }

  private void deploy() throws BundleException {
    double event = random.nextDouble();
    if (event < DEPLOYS || tenants.size() == 0) {
      tenants.deploy();
    } else if (event < DEPLOYS + UPDATES) {
      tenants.update(random.nextInt(tenants.size()));
    } else {
      tenants.undeploy(random.nextInt(tenants.size()));
    }
  }

  private void request() {
    for (int i = 0; i < REQUESTS_PER_DAY && tenants.size() > 0; i++) {
      tenants.request(Zipf.draw(random, tenants.size()), random.nextInt(1_000));
    }
  }

  /** A shared bundle changes; its users run on with the old one for a while, then change over. */
  private void maintain(int number) throws BundleException, InterruptedException {
    platform.updateApi(number % API_COUNT);
    request();
    server.refresh(number % 2 == 0 ? List.of() : List.of(platform.library(number)));
  }

  /** A thread for each day's work: thread locals that libraries set go with it. */
  private static void inThread(Callable<Void> work) throws InterruptedException {
    FutureTask<Void> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "worker");
    thread.start();
    thread.join();
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void leave(int count) throws BundleException, InterruptedException {
    while (tenants.size() > count) {
      tenants.undeploy(random.nextInt(tenants.size()));
    }
    server.refresh(platform.libraries()); // maintenance: nobody keeps an old one
    Metaspace.collect();
  }
}
