package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A Chromium without a window, told what to do in its own protocol over a WebSocket of the JDK.
 *
 * <p>Events of the page are kept: what it wrote to the console, and what it asked for.
 */
final class Chromium implements AutoCloseable {
  private static final long MOST_SECONDS = 60;
  private static final String LISTENING = "DevTools listening on ";
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final List<String> FLAGS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--hide-scrollbars",
          "--remote-debugging-port=0");

  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();
  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final WebSocket socket;
  private int lastId;
  private String session = "";

  private Chromium(Process process, String address) throws Exception {
    this.process = process;
    this.socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(address), new Listener())
            .get(MOST_SECONDS, TimeUnit.SECONDS);
    String target =
        call("Target.createTarget", Map.of("url", "about:blank")).path("targetId").asText();
    session =
        call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .path("sessionId")
            .asText();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      var _ = call(domain + ".enable", Map.of());
    }
  }

  /** Where it is on this machine, if it is. */
  static Optional<Path> executable() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":"))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts one that keeps what it has to keep in that folder. */
  static Chromium start(Path executable, Path profile) throws Exception {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(executable.toString());
    builder.command().addAll(FLAGS);
    builder.command().add("--user-data-dir=" + profile);
    // Its leftovers go with the profile.
    builder.environment().put("TMPDIR", Files.createDirectories(profile).toString());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    try {
      return new Chromium(process, address(process));
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** It says where it listens in one of its first lines; the rest must be read and is lost. */
  private static String address(Process process) throws Exception {
    CompletableFuture<String> address = new CompletableFuture<>();
    var _ =
        Thread.ofVirtual()
            .start(() -> {
              StringBuilder said = new StringBuilder();
              try (BufferedReader reader = process.errorReader(StandardCharsets.UTF_8)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                  said.append(line).append('\n');
                  if (line.startsWith(LISTENING)) {
                    address.complete(line.substring(LISTENING.length()).strip());
                  }
                }
              } catch (IOException e) {
                said.append(e);
              }
              address.completeExceptionally(new IOException("Chromium ended: said=" + said));
            });
    return address.get(MOST_SECONDS, TimeUnit.SECONDS);
  }

  /** Asks for something of the protocol and waits for the answer. */
  JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    int id = ++lastId;
    ObjectNode message = JsonNodeFactory.instance.objectNode();
    message.put("id", id).put("method", method).set("params", mapper.valueToTree(parameters));
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    var _ = socket.sendText(message.toString(), true).get(MOST_SECONDS, TimeUnit.SECONDS);
    JsonNode got;
    try {
      got = answer.get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException("Chromium did not answer: method=" + method, e);
    }
    if (got.has("error")) {
      throw new IOException(method + ": " + got.path("error"));
    }
    return got.path("result");
  }

  /** Opens a file and waits until it is there. */
  void open(Path file) throws Exception {
    open(file.toUri());
  }

  /** Opens a page and waits until it is there. */
  void open(URI page) throws Exception {
    events.clear();
    var _ = call("Page.navigate", Map.of("url", page.toString()));
    awaitPage(page.toString());
  }

  private void awaitPage(String page) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (events("Page.loadEventFired").isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("page was not loaded: page=" + page);
      }
      Thread.sleep(10);
    }
  }

  /** Evaluates an expression that leads to another page, and waits until that is there. */
  void follow(String expression) throws Exception {
    events.clear();
    var _ = value(expression);
    awaitPage(expression);
  }

  /** The value of an expression, awaited if it is a promise. */
  JsonNode value(String expression) throws Exception {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of(
                "expression",
                expression,
                "returnByValue",
                true,
                "awaitPromise",
                true,
                "userGesture",
                true));
    if (answer.has("exceptionDetails")) {
      throw new IOException(expression + ": " + answer.path("exceptionDetails"));
    }
    return answer.path("result").path("value");
  }

  String text(String expression) throws Exception {
    return value(expression).asText();
  }

  /** Makes the window that large, in the pixels that style sheets count. */
  void resize(int width, int height) throws Exception {
    var _ =
        call(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Moves the mouse to a part of an element, as shares of its width and height. */
  void pointAt(String selector, double shareX, double shareY) throws Exception {
    JsonNode at = place(selector, shareX, shareY);
    mouse("mouseMoved", at, "none", 0);
  }

  /** Clicks into the middle of an element. */
  void click(String selector) throws Exception {
    JsonNode at = place(selector, 0.5, 0.5);
    mouse("mouseMoved", at, "none", 0);
    mouse("mousePressed", at, "left", 1);
    mouse("mouseReleased", at, "left", 1);
  }

  private void mouse(String type, JsonNode at, String button, int clickCount) throws Exception {
    var _ =
        call(
            "Input.dispatchMouseEvent",
            Map.of(
                "type",
                type,
                "x",
                at.get(0).asDouble(),
                "y",
                at.get(1).asDouble(),
                "button",
                button,
                "clickCount",
                clickCount));
  }

  private JsonNode place(String selector, double shareX, double shareY) throws Exception {
    return value(
        """
        (() => {
          const element = document.querySelector(%s);
          element.scrollIntoView({ block: "center", behavior: "instant" });
          const box = element.getBoundingClientRect();
          return [box.left + box.width * %s, box.top + box.height * %s];
        })()
        """
            .formatted(mapper.writeValueAsString(selector), shareX, shareY));
  }

  /** Presses and releases a key that has a name. */
  void press(String key) throws Exception {
    for (String type : List.of("rawKeyDown", "keyUp")) {
      var _ = call("Input.dispatchKeyEvent", Map.of("type", type, "key", key, "code", key));
    }
  }

  /** Events of that name since the page was opened, with all they carry. */
  List<JsonNode> events(String method) {
    return events.stream()
        .filter(event -> event.path("method").asText().equals(method))
        .map(event -> event.path("params"))
        .toList();
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    try {
      var _ = socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true).join();
      var _ = process.onExit().orTimeout(MOST_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      process.destroyForcibly();
    }
    client.shutdownNow();
    children.forEach(ProcessHandle::destroyForcibly);
    // The folder of its profile is removed next: no process may write to it any more.
    var _ = process.onExit().orTimeout(MOST_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Puts the parts of messages together and hands them to the thread that waits. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
      message.append(part);
      if (isLast) {
        take(message.toString());
        message.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }

    private void take(String text) {
      try {
        JsonNode node = mapper.readTree(text);
        CompletableFuture<JsonNode> answer = answers.remove(node.path("id").asInt());
        if (answer != null) {
          answer.complete(node);
        } else {
          events.add(node);
        }
      } catch (IOException e) {
        throw new IllegalStateException("not JSON: " + text, e);
      }
    }
  }
}
