package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Fields that all threads of a rack write share no cache line with anything else, of the same
 * object or of the objects beside it: as the JVM lays fields out, whatever the order in the source
 * is.
 */
final class PaddingTest {
  private static final int LINE_BYTES = 64;

  private static Object unsafe = "";
  private static Method fieldOffset;
  private static long referenceBytes;

  /** By reflection: the class may go, and using it is a warning. */
  @BeforeAll
  static void askTheJvm() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      unsafe = field.get(null);
      fieldOffset = type.getMethod("objectFieldOffset", Field.class);
      referenceBytes =
          ((Number) type.getMethod("arrayIndexScale", Class.class).invoke(unsafe, Object[].class))
              .longValue();
    } catch (ReflectiveOperationException | RuntimeException e) {
      Assumptions.abort("the JVM does not say where fields are: " + e);
    }
  }

  @Test
  void countOfAMagazine_isAlone() throws Exception {
    assertThat(neighbours(Magazine.class, Set.of("count"))).isEmpty();
  }

  @Test
  void fieldsOfARackThatAreWritten_areAlone() throws Exception {
    assertThat(
            neighbours(
                Rack.class,
                Set.of(
                    "lock",
                    "cachedBytes",
                    "usedBytes",
                    "allocatedBytes",
                    "draw",
                    "withoutRoomCount")))
        .isEmpty();
  }

  /** The header of the next object, and the length of the array, are near the ends. */
  @Test
  void entriesOfAMagazine_areFarFromBothEnds() {
    for (long pieceBytes : new long[] {16, 8192, 300_000, 4 << 20}) {
      Magazine magazine = new Magazine(pieceBytes <= 8192, pieceBytes);
      int behind = magazine.entries.length - Magazine.FIRST - 2 * magazine.capacity;
      assertThat(Math.min(Magazine.FIRST, behind) * Long.BYTES).isGreaterThanOrEqualTo(LINE_BYTES);
    }
  }

  /** The check sees a field beside it, the header in front of it, and the end of the object. */
  @Test
  void fieldWithoutPadding_isFound() throws Exception {
    assertThat(neighbours(NoneBefore.class, Set.of("count"))).containsExactly("begin");
    assertThat(neighbours(NoneBehind.class, Set.of("count"))).containsExactly("end");
    // In front of all pads, in the gap behind a header of 12 bytes; behind all where it has 8.
    assertThat(neighbours(IntAmongPads.class, Set.of("count"))).isNotEmpty();
    assertThat(neighbours(Beside.class, Set.of("count"))).containsExactly("other");
  }

  /** Fields, and ends of the object, that may be in a cache line with one of these. */
  private static List<String> neighbours(Class<?> type, Set<String> written) throws Exception {
    List<Field> fields = new ArrayList<>();
    long objectBytes = 0;
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        fields.add(field);
        objectBytes = Math.max(objectBytes, offset(field) + sizeBytes(field));
      }
    }
    long from = Long.MAX_VALUE;
    long to = 0;
    int writtenCount = 0;
    for (Field field : fields) {
      if (written.contains(field.getName())) {
        writtenCount++;
        from = Math.min(from, offset(field));
        to = Math.max(to, offset(field) + sizeBytes(field));
      }
    }
    assertThat(writtenCount).isEqualTo(written.size());
    List<String> near = new ArrayList<>();
    for (Field field : fields) {
      boolean isOther = !written.contains(field.getName()) && !field.getName().matches("pad\\d+");
      boolean isFar =
          from - offset(field) - sizeBytes(field) >= LINE_BYTES - 1
              || offset(field) - to >= LINE_BYTES - 1;
      if (isOther && !isFar) {
        near.add(field.getName());
      }
    }
    if (from < LINE_BYTES) {
      near.add("begin");
    }
    if (objectBytes - to < LINE_BYTES - 1) {
      near.add("end");
    }
    return near;
  }

  private static long offset(Field field) throws ReflectiveOperationException {
    return (long) fieldOffset.invoke(unsafe, field);
  }

  private static long sizeBytes(Field field) {
    Class<?> type = field.getType();
    if (!type.isPrimitive()) {
      return referenceBytes;
    }
    return type == long.class || type == double.class
        ? 8
        : type == int.class || type == float.class
            ? 4
            : type == short.class || type == char.class ? 2 : 1;
  }

  /** Fields behind only. */
  @SuppressWarnings({"unused", "UnusedVariable"})
  private static final class NoneBefore {
    private long count;
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;
  }

  /** Fields in front only. */
  @SuppressWarnings({"unused", "UnusedVariable"})
  private static final class NoneBehind {
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;
    private long count;
  }

  /** An int, which goes in front of them all. */
  @SuppressWarnings({"unused", "UnusedVariable"})
  private static final class IntAmongPads {
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;
    private int count;
    private long pad8, pad9, pad10, pad11, pad12, pad13, pad14, pad15;
  }

  /** Another field on the wrong side of the padding. */
  @SuppressWarnings({"unused", "UnusedVariable"})
  private static final class Beside {
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;
    private long other;
    private long count;
    private long pad8, pad9, pad10, pad11, pad12, pad13, pad14, pad15;
  }
}
