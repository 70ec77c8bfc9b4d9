package dev.arenal.os;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A method that an owner's operating system does not have is that of the kernel behind it. */
final class ForwardingTest {
  /** Of the owner; the last three are made of others. */
  private static final Set<String> NOT_FORWARDED =
      Set.of("named", "kernel", "mappingLimit", "hasMappingsToMove", "describe");

  private static final Map<Class<?>, Object> SAMPLES =
      Map.of(
          boolean.class,
          true,
          int.class,
          7,
          long.class,
          8L,
          byte[].class,
          new byte[] {9},
          long[].class,
          new long[] {9},
          BitSet.class,
          BitSet.valueOf(new long[] {10}),
          MemoryFigures.class,
          new MemoryFigures(11, 12, List.of(), 13, 14, 1, 15, 16));

  static Stream<Method> forwarded() {
    return Arrays.stream(OperatingSystem.class.getDeclaredMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> !NOT_FORWARDED.contains(method.getName()));
  }

  @ParameterizedTest
  @MethodSource("forwarded")
  void eachMethod_goesToTheKernel_withItsArguments(Method method) throws Exception {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      arguments[i] = type == long.class ? (Object) (100L + i) : requireNonNull(SAMPLES.get(type));
    }
    Object answer = SAMPLES.get(method.getReturnType()); // null of a method without
    List<Method> calls = new ArrayList<>();
    List<Object> received = new ArrayList<>();
    OperatingSystem kernel =
        proxy((_, called, with) -> {
          calls.add(called);
          received.addAll(with == null ? List.of() : Arrays.asList(with));
          return answer;
        });
    OperatingSystem owner =
        proxy((self, called, with) ->
            called.getName().equals("kernel")
                ? kernel
                : InvocationHandler.invokeDefault(self, called, with));
    assertThat(method.invoke(owner, arguments)).isEqualTo(answer);
    assertThat(calls).containsExactly(method);
    assertThat(received).containsExactly(arguments);
  }

  /** One that lacked a method would call itself without end. */
  @ParameterizedTest
  @MethodSource("forwarded")
  void kernels_haveEachMethodThemselves(Method method) {
    for (Class<?> kernel : List.of(LinuxOperatingSystem.class, SimulatedOperatingSystem.class)) {
      assertDoesNotThrow(
          () -> kernel.getDeclaredMethod(method.getName(), method.getParameterTypes()));
    }
  }

  private static OperatingSystem proxy(InvocationHandler handler) {
    return (OperatingSystem)
        Proxy.newProxyInstance(
            OperatingSystem.class.getClassLoader(),
            new Class<?>[] {OperatingSystem.class},
            handler);
  }
}
