package dev.arenal.lab.result;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Results as JSON. A record is the object of its components; where a name differs from that of the
 * component, an annotation there says so. A figure that does not exist is null, and a list that is
 * missing is empty.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      mapper(
          new SimpleModule()
              .addSerializer(new RoundedSerializer(Double.class))
              .addSerializer(new RoundedSerializer(Double.TYPE)));

  /** Between processes: figures are rounded once, when they are shown. */
  private static final ObjectMapper EXACT = mapper(new SimpleModule());

  private static final double THOUSAND = 1e3;

  private Json() {}

  private static ObjectMapper mapper(SimpleModule module) {
    return JsonMapper.builder()
        .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .withConfigOverride(
            List.class,
            override -> override.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
        .addModule(
            module
                .addSerializer(new SecondsSerializer())
                .addDeserializer(Duration.class, new SecondsDeserializer()))
        .build();
  }

  /** A record, or a list or map of them, as a tree. */
  public static JsonNode tree(Object result) {
    return MAPPER.valueToTree(result);
  }

  /** A tree or a record as people read it. */
  public static String text(Object result) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(result) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("result has no JSON: type=" + result.getClass(), e);
    }
  }

  /** Writes a record for another process. */
  public static void write(Path file, Object result) throws IOException {
    Files.writeString(file, EXACT.writeValueAsString(result));
  }

  /** Reads what another process wrote: all of it must be there. */
  public static <T> T readWhole(Path file, Class<T> type) throws IOException {
    try {
      return EXACT
          .readerFor(type)
          .with(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .readValue(Files.readString(file));
    } catch (JsonProcessingException | NoSuchFileException e) {
      throw new IOException(
          "not the result of a run: file=%s, type=%s".formatted(file, type.getSimpleName()), e);
    }
  }

  /** The record that a tree says. */
  public static <T> T read(JsonNode tree, Class<T> type) throws IOException {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw new IOException("not a result of this kind: type=" + type.getSimpleName(), e);
    }
  }

  /** The same for a record with a type parameter. */
  public static <T> T read(JsonNode tree, TypeReference<T> type) throws IOException {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw new IOException("not a result of this kind: type=" + type.getType().getTypeName(), e);
    }
  }

  /** The record that a file says. */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(Files.readString(file), type);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "not a result: file=%s, line=%d, type=%s (expected what the lab or JMH wrote)"
              .formatted(
                  file,
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  type.getSimpleName()),
          e);
    }
  }

  /**
   * Three digits behind the point, six of what is less than one: more says nothing about anything
   * that was measured.
   */
  private static final class RoundedSerializer extends StdSerializer<Double> {
    private static final long serialVersionUID = 1L;
    private static final double MILLION = 1e6;

    RoundedSerializer(Class<Double> type) {
      super(type);
    }

    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      double digits = Math.abs(value) < 1 ? MILLION : THOUSAND;
      out.writeNumber(
          Double.isFinite(value) && Math.abs(value) < Long.MAX_VALUE / MILLION
              ? Math.round(value * digits) / digits
              : value);
    }
  }

  /** A duration in seconds. */
  private static final class SecondsSerializer extends StdSerializer<Duration> {
    private static final long serialVersionUID = 1L;

    SecondsSerializer() {
      super(Duration.class);
    }

    @Override
    public void serialize(Duration value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeNumber(value.toMillis() / THOUSAND);
    }
  }

  private static final class SecondsDeserializer extends StdDeserializer<Duration> {
    private static final long serialVersionUID = 1L;

    SecondsDeserializer() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return Duration.ofMillis(Math.round(in.getDoubleValue() * THOUSAND));
    }
  }
}
