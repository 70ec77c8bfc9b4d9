package dev.arenal.lab.histogram;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramData.AllocationBucket;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import dev.arenal.agent.histogram.HistogramJson;
import dev.arenal.lab.figure.Plain;
import dev.arenal.lab.process.Causes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Reads files of the agent, and refuses those that are not whole or not its own. */
public final class HistogramReader {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withConfigOverride(
              List.class,
              override -> override.setSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL)))
          .build();

  private static final int FIRST_LARGER_BYTES = 64;

  /** The agent writes some kilobytes, and a sum has a line for each of its runs. */
  private static final int MOST_FILE_BYTES = 16 << 20;

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
      data = MAPPER.treeToValue(root, Written.class).data();
    } catch (InvalidDefinitionException e) { // no mistake of the file
      throw new IllegalStateException("records of a histogram cannot be made", e);
    } catch (JsonMappingException e) {
      throw refusal("damaged histogram: " + complaint(e), "the file as it was written");
    } catch (IllegalArgumentException e) {
      throw refusal("damaged histogram: " + e.getMessage(), "the file as it was written");
    }
    checkSum(root, "arenasClosed", data.arenasClosed());
    checkSum(root, "bytes", data.bytes());
    return new RecordedRun(file.toString(), root.path("program").asText("?"), data);
  }

  private JsonNode tree() throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST_FILE_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw refusal("no such file", "a file that the agent wrote for histogram=FILE");
    } catch (IOException e) {
      throw refusal(
          "cannot read: reason=" + (Files.isDirectory(file) ? "a folder" : Causes.of(e)),
          "a file that the agent wrote for histogram=FILE");
    }
    try {
      JsonNode root = bytes.length > MOST_FILE_BYTES ? null : MAPPER.readTree(bytes);
      if (root != null && root.isObject()) {
        return root;
      }
    } catch (JsonProcessingException e) {
      // Not JSON: said below, without the parser's words, which would show the file.
    }
    throw refusal("not a histogram", "JSON that the agent wrote for histogram=FILE");
  }

  /** Figures of a file, by the names that they have there. */
  record Written(
      long arenasOpened,
      long allocations,
      List<Long> arenasByExactBytes,
      List<Bucket> arenasByBytes,
      List<AllocationBucket> arenasByAllocations,
      List<PoolShare> pools) {
    /** Of lists without those elements that follow from figures elsewhere. */
    HistogramData data() {
      return HistogramData.of(
          arenasOpened,
          allocations,
          arenasByExactBytes,
          arenasByBytes.stream().filter(each -> each.fromBytes() >= FIRST_LARGER_BYTES).toList(),
          arenasByAllocations.stream().filter(each -> each.from() >= 1).toList(),
          pools);
    }
  }

  /** The mistake, in words of the format. */
  private static String complaint(JsonMappingException e) {
    List<Reference> path = e.getPath();
    String name =
        path.stream()
            .map(Reference::getFieldName)
            .filter(Objects::nonNull)
            .reduce("", (_, inner) -> inner);
    if (e instanceof MismatchedInputException mismatch
        && Collection.class.isAssignableFrom(mismatch.getTargetType())) {
      return "missing list: name=" + name;
    }
    boolean isField = name.equals(path.getLast().getFieldName());
    return "missing or not a whole number: " + (isField ? "field=" : "list=") + name;
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
    return new IOException(
        "%s: file=%s%s (expected %s)".formatted(head, file, Plain.printable(rest), expected));
  }
}
