package dev.arenal.faults;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * A test that meets an {@link OutOfMemoryError} fails, as with any other error. JUnit lets such an
 * error through: the run of all tests ends, and nothing says which test it was. So it still is for
 * one of an extension.
 */
public final class MemoryErrorInTest implements InvocationInterceptor {
  @Override
  public void interceptBeforeEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    failOnMemoryError(invocation);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    failOnMemoryError(invocation);
  }

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    failOnMemoryError(invocation);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    failOnMemoryError(invocation);
  }

  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext test,
      ExtensionContext context)
      throws Throwable {
    failOnMemoryError(invocation);
  }

  static void failOnMemoryError(Invocation<@Nullable Void> invocation) throws Throwable {
    try {
      var _ = invocation.proceed();
    } catch (OutOfMemoryError e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }
}
