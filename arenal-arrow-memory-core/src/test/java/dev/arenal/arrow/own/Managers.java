package dev.arenal.arrow.own;

import java.lang.reflect.Method;
import java.util.Objects;
import org.apache.arrow.memory.DefaultAllocationManagerOption;

/** Which manager Arrow has taken. */
final class Managers {
  private Managers() {}

  /** The class of the factory; Arrow does not say it to others. */
  static String current() {
    try {
      Method method =
          DefaultAllocationManagerOption.class.getDeclaredMethod(
              "getDefaultAllocationManagerFactory");
      method.setAccessible(true);
      return Objects.requireNonNull(method.invoke(null)).getClass().getName();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Arrow is another one", e);
    }
  }
}
