package dev.arenal.corpus.felix;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.FrameworkWiring;

/** An embedded Apache Felix: the calls of its interfaces that a deployment tool uses. */
final class Server implements AutoCloseable {
  private final Framework framework;

  private Server(Framework framework) {
    this.framework = framework;
  }

  static Server start(Path cache) throws BundleException {
    Map<String, String> config = new HashMap<>();
    config.put(Constants.FRAMEWORK_STORAGE, cache.toString());
    config.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
    config.put(Constants.FRAMEWORK_BOOTDELEGATION, "javax.*,org.w3c.*,org.xml.*,sun.*");
    config.put("felix.log.level", "1");
    config.put("felix.service.urlhandlers", "false"); // its handlers are for the whole process
    Framework framework = new FrameworkFactory().newFramework(config);
    framework.start();
    return new Server(framework);
  }

  BundleContext context() {
    return framework.getBundleContext();
  }

  Bundle install(String location, byte[] jar) throws BundleException {
    return context().installBundle(location, new ByteArrayInputStream(jar));
  }

  Bundle install(Path jar) throws BundleException {
    try {
      return install(jar.getFileName().toString(), Files.readAllBytes(jar));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void update(Bundle bundle, byte[] jar) throws BundleException {
    bundle.update(new ByteArrayInputStream(jar));
  }

  /** Wires these bundles anew, and those that use them; without any, those that were replaced. */
  void refresh(Collection<Bundle> bundles) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    framework
        .adapt(FrameworkWiring.class)
        .refreshBundles(bundles.isEmpty() ? null : List.copyOf(bundles), e -> done.countDown());
    done.await();
  }

  @Override
  public void close() throws BundleException, InterruptedException {
    framework.stop();
    framework.waitForStop(0);
  }
}
