package dev.arenal.corpus.tomcat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.ThreadLocalLeakPreventionListener;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ContextName;

/**
 * The servlet container: listens at a loopback port and takes several versions of an application at
 * once, of which new visitors see the newest ("parallel deployment").
 */
final class Server implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();

  Server(Path folder) throws IOException, LifecycleException {
    tomcat.setBaseDir(folder.toString());
    tomcat.getHost().setAppBase(Files.createDirectories(folder.resolve("webapps")).toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    // One thread works, as there is one client: runs are alike.
    tomcat.getConnector().setProperty("minSpareThreads", "1");
    tomcat.getConnector().setProperty("maxThreads", "1");
    // As in the server.xml of a distribution: threads forget what applications left in them.
    tomcat.getServer().addLifecycleListener(new ThreadLocalLeakPreventionListener());
    tomcat.start();
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  /** Starts a release of an application beside the older ones. */
  Context deploy(Kind kind, int version, Path root) {
    ContextName name = new ContextName(kind.path(), "%04d".formatted(version));
    ContextConfig config = new ContextConfig();
    config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
    StandardContext context = new StandardContext();
    context.setName(name.getName());
    context.setPath(name.getPath());
    context.setWebappVersion(name.getVersion());
    context.setDocBase(root.toString());
    context.addLifecycleListener(config);
    tomcat.getHost().addChild(context);
    if (!context.getState().isAvailable()) {
      throw new IllegalStateException("Did not start: " + name);
    }
    return context;
  }

  /** Stops a release. */
  void undeploy(Context context) {
    tomcat.getHost().removeChild(context);
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
