package dev.arenal.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** GraalVM is told the shape of each downcall: an image without it fails at its first call. */
final class NativeImageMetadataTest {
  private static final String METADATA =
      "/META-INF/native-image/dev.arenal/arenal/reachability-metadata.json";
  private static final Pattern DOWNCALL =
      Pattern.compile(
          "\\{\"returnType\":\"([^\"]*)\",\"parameterTypes\":\\[([^]]*)]"
              + "(,\"options\":\\{\"captureCallState\":true})?}");

  @Test
  void shapes_areThoseOfTheHandles() throws Exception {
    assertThat(new TreeSet<>(registered())).isEqualTo(new TreeSet<>(linked())).hasSize(1);
  }

  @Test
  void shapeOfAHandle_tellsItsTypes() {
    MethodType captured =
        MethodType.methodType(long.class, MemorySegment.class, long.class, MemorySegment.class);
    assertThat(shape(captured)).isEqualTo("jlong(jlong,void*) captured");
    assertThat(shape(MethodType.methodType(int.class))).isEqualTo("jint()");
  }

  private static List<String> registered() throws IOException {
    try (InputStream in = NativeImageMetadataTest.class.getResourceAsStream(METADATA)) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return DOWNCALL
          .matcher(text.replaceAll("\\s", ""))
          .results()
          .map(found ->
              found.group(1)
                  + "("
                  + found.group(2).replace("\"", "")
                  + ")"
                  + (found.group(3) == null ? "" : " captured"))
          .toList();
    }
  }

  /** Of all handles that classes of the package keep, and this is the only one that links any. */
  private static List<String> linked() throws Exception {
    List<String> shapes = new ArrayList<>();
    Path classes =
        Path.of(KernelCalls.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve("dev/arenal/os");
    try (Stream<Path> files = Files.list(classes)) {
      for (Path file : files.sorted().toList()) {
        String name = Objects.requireNonNull(file.getFileName()).toString();
        if (!name.endsWith(".class") || name.equals("package-info.class")) {
          continue;
        }
        Class<?> type = Class.forName("dev.arenal.os." + name.replace(".class", ""));
        for (Field field : type.getDeclaredFields()) {
          if (field.getType() == MethodHandle.class && Modifier.isStatic(field.getModifiers())) {
            field.setAccessible(true);
            shapes.add(shape(((MethodHandle) Objects.requireNonNull(field.get(null))).type()));
          }
        }
      }
    }
    return shapes;
  }

  /** A segment in front is where errno goes; none of the functions takes one there itself. */
  private static String shape(MethodType type) {
    boolean captured = type.parameterCount() > 0 && type.parameterType(0) == MemorySegment.class;
    String parameters =
        type.parameterList().stream()
            .skip(captured ? 1 : 0)
            .map(NativeImageMetadataTest::layout)
            .collect(Collectors.joining(","));
    return layout(type.returnType()) + "(" + parameters + ")" + (captured ? " captured" : "");
  }

  private static String layout(Class<?> carrier) {
    return carrier == MemorySegment.class ? "void*" : "j" + carrier.getName();
  }
}
