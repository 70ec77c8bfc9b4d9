package dev.arenal.corpus.hibernate;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.enhance.spi.Enhancer;
import org.hibernate.bytecode.enhance.spi.UnloadedClass;
import org.hibernate.bytecode.enhance.spi.UnloadedField;
import org.hibernate.bytecode.internal.bytebuddy.BytecodeProviderImpl;

/** Has the classes of one tenant; of some tenants, Hibernate enhances them before. */
final class TenantLoader extends ClassLoader {
  private final Map<String, byte[]> files;

  TenantLoader(Map<String, byte[]> files, boolean enhanced) {
    super("tenant", TenantLoader.class.getClassLoader());
    this.files = new HashMap<>(files);
    if (enhanced) {
      Enhancer enhancer = new BytecodeProviderImpl().getEnhancer(new Context(this));
      files.forEach((name, file) -> {
        byte[] better = enhancer.enhance(name, file);
        if (better != null) {
          this.files.put(name, better);
        }
      });
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file = files.get(name);
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, file, 0, file.length);
  }

  /** The enhancer reads the classes that a class refers to. */
  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] file =
        name.endsWith(".class")
            ? files.get(name.substring(0, name.length() - ".class".length()).replace('/', '.'))
            : null;
    return file == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(file);
  }

  /** Enhancement with all its parts. */
  private static final class Context extends DefaultEnhancementContext {
    private final ClassLoader loader;

    Context(ClassLoader loader) {
      this.loader = loader;
    }

    @Override
    public ClassLoader getLoadingClassLoader() {
      return loader;
    }

    @Override
    public boolean hasLazyLoadableAttributes(UnloadedClass type) {
      return true;
    }

    @Override
    public boolean isLazyLoadable(UnloadedField field) {
      return true;
    }

    @Override
    public boolean doBiDirectionalAssociationManagement(UnloadedField field) {
      return false;
    }
  }
}
