package dev.arenal.corpus.felix.app;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** The activator in each tenant's bundle: registers the services that the manifest names. */
public final class Activator implements BundleActivator {
  @Override
  public void start(BundleContext context) throws ReflectiveOperationException {
    for (String name : names(context, "Shop-Features")) {
      context.registerService(IntFunction.class, (IntFunction<?>) create(name), properties(name));
    }
    for (String name : names(context, "Shop-Services")) {
      IntUnaryOperator service = (IntUnaryOperator) create(name);
      context.registerService(IntUnaryOperator.class, service, properties(name));
    }
  }

  @Override
  public void stop(BundleContext context) {
    // The framework takes the services away by itself.
  }

  private static String[] names(BundleContext context, String header) {
    String value = context.getBundle().getHeaders().get(header);
    return value == null || value.isEmpty() ? new String[0] : value.split(",");
  }

  private static Object create(String name) throws ReflectiveOperationException {
    ClassLoader ours = Activator.class.getClassLoader();
    return Class.forName(name, true, ours).getConstructor().newInstance();
  }

  private static Dictionary<String, Object> properties(String name) {
    Dictionary<String, Object> properties = new Hashtable<>();
    properties.put("component.name", name);
    return properties;
  }
}
