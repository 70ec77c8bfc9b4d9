package dev.arenal.corpus.tomcat;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A visitor of an application: the cookie of the session keeps it at the version that was the
 * newest when it came.
 */
final class Visitor {
  private final int port;
  private final Kind kind;
  private String cookie;

  Visitor(int port, Kind kind) {
    this.port = port;
    this.kind = kind;
  }

  /** Asks one of the application's servlets, drawn by the number. */
  void visit(int seed) throws IOException {
    Class<?> servlet = kind.servlets.get(Math.floorMod(seed, kind.servlets.size()));
    String name = servlet.getSimpleName().replace("Servlet", "").toLowerCase(Locale.ROOT);
    get("/" + name + "?seed=" + seed);
  }

  /** Ends the session. */
  void leave() throws IOException {
    get("/leave");
  }

  private void get(String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + port + kind.path() + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    if (cookie != null) {
      connection.setRequestProperty("Cookie", cookie);
    }
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      try (InputStream page = connection.getErrorStream()) {
        String text = page == null ? "" : new String(page.readAllBytes(), StandardCharsets.UTF_8);
        throw new IOException(uri + ": " + status + " " + text);
      }
    }
    try (InputStream in = connection.getInputStream()) {
      if (in.readAllBytes().length == 0) {
        throw new IOException(uri + ": empty");
      }
    }
    String set = connection.getHeaderField("Set-Cookie");
    if (set != null) {
      cookie = set.substring(0, set.indexOf(';'));
    }
  }
}
