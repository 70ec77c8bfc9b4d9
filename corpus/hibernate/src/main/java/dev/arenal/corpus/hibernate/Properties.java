package dev.arenal.corpus.hibernate;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Random;

/** Reads and sets properties of entities, of which the program knows no more than their names. */
final class Properties {
  private Properties() {}

  static Object make(Class<?> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static void set(Object row, String property, Object value) {
    String name = "set" + capital(property);
    try {
      for (Method method : row.getClass().getMethods()) {
        if (method.getName().equals(name)) {
          method.invoke(row, value);
          return;
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException(row.getClass() + " has no " + name);
  }

  static Object get(Object row, Attribute attribute) {
    String prefix = attribute.type() == boolean.class ? "is" : "get";
    return get(row, prefix, attribute.name());
  }

  static Object get(Object row, String prefix, String property) {
    try {
      return row.getClass().getMethod(prefix + capital(property)).invoke(row);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Draws a value of one of the types that attributes have. */
  static Object draw(Class<?> type, Random random) {
    if (type == String.class) {
      return Integer.toString(random.nextInt(), 36);
    } else if (type == Integer.class) {
      return random.nextInt(1000);
    } else if (type == long.class) {
      return random.nextLong();
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == BigDecimal.class) {
      return BigDecimal.valueOf(random.nextInt(1 << 20), 2);
    } else if (type == LocalDate.class) {
      return LocalDate.of(2026, 1, 1).plusDays(random.nextInt(1000));
    }
    return random.nextDouble();
  }

  private static String capital(String property) {
    return Character.toUpperCase(property.charAt(0)) + property.substring(1);
  }
}
