package dev.arenal.corpus.jsp;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.apache.tomcat.util.modeler.Registry;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Tomcat inside the program, on the loopback, with one thread for requests. */
final class Server {
  private static final int HTTP_OK = 200;

  private final Tomcat tomcat = new Tomcat();

  Server(Path folder) throws LifecycleException {
    // Both would keep the loader of the server for good.
    TomcatURLStreamHandlerFactory.disable();
    Registry.disableRegistry();
    tomcat.setBaseDir(folder.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("maxThreads", "1");
    connector.setProperty("minSpareThreads", "1");
    tomcat.setConnector(connector);
    // Webapps would else have the program's own loader as their parent.
    tomcat.getEngine().setParentClassLoader(Server.class.getClassLoader());
    tomcat.getHost().setAutoDeploy(false);
    tomcat.start();
  }

  /**
   * Starts a version of a webapp beside those that run already: Tomcat sends sessions that began on
   * an older one there, and all others here.
   *
   * @param mostPages how many compiled pages stay loaded, or -1 for all
   */
  Context deploy(Site site, int mostPages) {
    StandardContext context = new StandardContext();
    context.setPath(site.path());
    context.setWebappVersion("%03d".formatted(site.version()));
    context.setName(site.path() + "##" + context.getWebappVersion());
    context.setDocBase(site.folder().toString());
    StandardRoot files = new StandardRoot(context);
    files.setCachingAllowed(false); // an edit is seen by the next request
    context.setResources(files);
    StandardJarScanner scanner = new StandardJarScanner();
    scanner.setScanClassPath(false);
    context.setJarScanner(scanner);
    StandardManager sessions = new StandardManager();
    sessions.setPathname(null);
    context.setManager(sessions);
    context.addLifecycleListener(tomcat.getDefaultWebXmlListener());
    context.addLifecycleListener(pages(context, mostPages));
    ContextConfig config = new ContextConfig();
    config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
    context.addLifecycleListener(config);
    tomcat.getHost().addChild(context);
    return context;
  }

  private static LifecycleListener pages(Context context, int mostPages) {
    return event -> {
      if (event.getType().equals(Lifecycle.BEFORE_START_EVENT)) {
        Wrapper jsp = (Wrapper) context.findChild("jsp");
        jsp.addInitParameter("modificationTestInterval", "0");
        jsp.addInitParameter("maxLoadedJsps", Integer.toString(mostPages));
      }
    };
  }

  /** Stops a webapp for good. */
  void undeploy(Context context) throws LifecycleException {
    context.stop();
    tomcat.getHost().removeChild(context); // which destroys it
  }

  /** The answer to a request: the text, and the cookie of a new session or null. */
  record Answer(String text, String cookie) {}

  /** Asks for a page, in a session or (null) outside of any. */
  Answer get(String path, String cookie) throws IOException {
    int port = tomcat.getConnector().getLocalPort();
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    if (cookie != null) {
      connection.setRequestProperty("Cookie", cookie);
    }
    int status = connection.getResponseCode();
    InputStream body =
        status == HTTP_OK ? connection.getInputStream() : connection.getErrorStream();
    try (body) {
      String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      if (status != HTTP_OK) {
        throw new IOException(path + ": " + status + "\n" + text);
      }
      String set = connection.getHeaderField("Set-Cookie");
      return new Answer(text, set == null ? null : set.substring(0, set.indexOf(';')));
    }
  }

  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
