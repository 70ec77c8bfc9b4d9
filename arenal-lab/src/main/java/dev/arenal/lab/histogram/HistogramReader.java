package dev.arenal.lab.histogram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramData.AllocationBucket;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import dev.arenal.agent.histogram.HistogramJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads files of the agent, and refuses those that are not whole or not its own. */
public final class HistogramReader {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final int FIRST_LARGER_BYTES = 64;

  private final Path file;

  private HistogramReader(Path file) {
    this.file = file;
  }

  /**
   * Reads one file.
   *
   * @throws IOException if it cannot be read, or is not what the agent writes
   */
  public static RecordedRun read(Path file) throws IOException {
    return new HistogramReader(file).read();
  }

  private RecordedRun read() throws IOException {
    JsonNode root = tree();
    if (!HistogramJson.FORMAT.equals(root.path("format").asText())) {
      throw refusal("not a histogram", "JSON that the agent wrote for histogram=FILE");
    }
    if (root.path("version").asInt() != HistogramJson.VERSION) {
      throw refusal(
          "histogram of another version: version=" + root.path("version").asText(),
          "version " + HistogramJson.VERSION + ", or a newer Arenal for a newer file");
    }
    HistogramData data;
    try {
      data = data(root);
    } catch (IllegalArgumentException e) {
      throw refusal("damaged histogram: " + e.getMessage(), "the file as it was written");
    }
    checkSum(root, "arenasClosed", data.arenasClosed());
    checkSum(root, "bytes", data.bytes());
    return new RecordedRun(file.toString(), root.path("program").asText("?"), data);
  }

  private JsonNode tree() throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw refusal("no such file", "a file that the agent wrote for histogram=FILE");
    } catch (IOException e) {
      throw refusal(
          "cannot read: reason=" + (Files.isDirectory(file) ? "a folder" : e.getMessage()),
          "a file that the agent wrote for histogram=FILE");
    }
    try {
      JsonNode root = MAPPER.readTree(bytes);
      if (root.isObject()) {
        return root;
      }
    } catch (JsonProcessingException e) {
      // Not JSON: said below, without the parser's words, which would show the file.
    }
    throw refusal("not a histogram", "JSON that the agent wrote for histogram=FILE");
  }

  private static HistogramData data(JsonNode root) {
    List<Bucket> larger =
        list(root, "arenasByBytes", Bucket::fromBytes, HistogramReader::bucket, FIRST_LARGER_BYTES);
    List<AllocationBucket> allocations =
        list(
            root,
            "arenasByAllocations",
            AllocationBucket::from,
            node ->
                new AllocationBucket(
                    figure(node, "from"), figure(node, "to"), figure(node, "arenas")),
            1);
    List<PoolShare> pools =
        list(
            root,
            "pools",
            pool -> (long) pool.sizeBytes(),
            node ->
                new PoolShare(
                    Math.toIntExact(Math.min(Integer.MAX_VALUE, figure(node, "sizeBytes"))),
                    figure(node, "arenas"),
                    figure(node, "allocations")),
            0);
    List<Long> exact = new ArrayList<>();
    for (JsonNode node : array(root, "arenasByExactBytes")) {
      exact.add(figure(node, "arenasByExactBytes", node));
    }
    return HistogramData.of(
        figure(root, "arenasOpened"),
        figure(root, "allocations"),
        exact,
        larger,
        allocations,
        pools);
  }

  private static Bucket bucket(JsonNode node) {
    return new Bucket(
        figure(node, "fromBytes"),
        figure(node, "toBytes"),
        figure(node, "arenas"),
        figure(node, "bytes"));
  }

  /** The elements of a list from that key on; the others follow from figures elsewhere. */
  private static <T> List<T> list(
      JsonNode root,
      String name,
      Function<T, Long> key,
      Function<JsonNode, T> element,
      long smallestKey) {
    List<T> elements = new ArrayList<>();
    for (JsonNode node : array(root, name)) {
      T each = element.apply(node);
      if (key.apply(each) >= smallestKey) {
        elements.add(each);
      }
    }
    return elements;
  }

  private static JsonNode array(JsonNode root, String name) {
    JsonNode node = root.path(name);
    if (!node.isArray()) {
      throw new IllegalArgumentException("missing list: name=" + name);
    }
    return node;
  }

  private static long figure(JsonNode node, String name) {
    return figure(node, name, node.path(name));
  }

  private static long figure(JsonNode within, String name, JsonNode figure) {
    if (!figure.isIntegralNumber() || !figure.canConvertToLong()) {
      String kind = within.isObject() ? "field" : "list";
      throw new IllegalArgumentException("missing or not a whole number: " + kind + "=" + name);
    }
    return figure.longValue();
  }

  private void checkSum(JsonNode root, String name, long counted) throws IOException {
    if (root.path(name).asLong(-1) != counted) {
      throw refusal(
          "damaged histogram: sum that does not fit its parts: %s=%s, parts=%d"
              .formatted(name, root.path(name).asText("missing"), counted),
          "the file as it was written");
    }
  }

  private IOException refusal(String what, String expected) {
    int end = what.indexOf(": ");
    String head = end < 0 ? what : what.substring(0, end);
    String rest = end < 0 ? "" : ", " + what.substring(end + 2);
    return new IOException("%s: file=%s%s (expected %s)".formatted(head, file, rest, expected));
  }
}
