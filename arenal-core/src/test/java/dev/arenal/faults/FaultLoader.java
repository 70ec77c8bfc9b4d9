package dev.arenal.faults;

import dev.arenal.guard.StackReserve;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Loads the library and the classes of its tests anew, the library rewritten. All else, this
 * package included, comes from the loader of the tests.
 */
public final class FaultLoader extends ClassLoader {
  private static final String OURS = "dev.arenal.";
  private static final String HARNESS = "dev.arenal.faults.";

  private static final String LIBRARY =
      StackReserve.class.getProtectionDomain().getCodeSource().getLocation().toString();

  /** Read and rewritten once, for all loaders: some tests need one for each place. */
  private static final Map<String, byte[]> CLASSES = new ConcurrentHashMap<>();

  /** The same, static initializers included. */
  private static final Map<String, byte[]> WITH_STATICS = new ConcurrentHashMap<>();

  /** The number of a loader whose library makes its calls to the kernel without notes. */
  static final int NOT_NOTED = 0;

  private static final AtomicInteger COUNT = new AtomicInteger();

  /** For {@link KernelNotes}, which must not keep the loader. */
  final int number;

  private final boolean withStatics;

  /**
   * A loader whose library has not been used yet, and may be used at the end of a stack: what
   * {@link KernelNotes} needs of it is not in the library's reserve.
   */
  public FaultLoader() {
    this(false, NOT_NOTED);
  }

  private FaultLoader(boolean withStatics, int number) {
    super(FaultLoader.class.getClassLoader());
    this.withStatics = withStatics;
    this.number = number;
  }

  /**
   * The same with {@link KernelNotes}.
   *
   * @param withStatics whether static initializers fail as well
   */
  static FaultLoader withNotes(boolean withStatics) {
    return new FaultLoader(withStatics, COUNT.incrementAndGet());
  }

  /** An instance of a class, loaded here. */
  public FaultProgram newProgram(Class<? extends FaultProgram> program) {
    try {
      var constructor = loadClass(program.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (FaultProgram) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a program needs a constructor without parameters: " + program, e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || isHarness(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  /** The harness itself; tests and programs that stand beside it are not. */
  private static boolean isHarness(String name) {
    return name.startsWith(HARNESS) && !name.contains("Test") && !name.contains("Program$");
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    URL url = getParent().getResource(file);
    if (url == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] result = (withStatics ? WITH_STATICS : CLASSES).computeIfAbsent(name, _ -> bytes(url));
    return defineClass(name, result, 0, result.length);
  }

  private byte[] bytes(URL url) {
    byte[] bytes = read(url);
    return isLibrary(url) ? FaultRewriter.rewrite(bytes, withStatics) : bytes;
  }

  /** Whether a class lies where the library does; those of tests lie elsewhere. */
  private static boolean isLibrary(URL url) {
    return url.toString().contains(LIBRARY);
  }

  private static byte[] read(URL url) {
    try (InputStream in = url.openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public @Nullable URL getResource(String name) {
    return getParent().getResource(name);
  }
}
