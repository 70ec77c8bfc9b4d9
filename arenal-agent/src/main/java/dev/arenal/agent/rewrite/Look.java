package dev.arenal.agent.rewrite;

import dev.arenal.agent.sites.SiteFinder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the JVM for the class files of loaded classes without changing any.
 *
 * <p>There is one way to see them: to have classes transformed again. It is all or nothing, and the
 * last class of each set gets a class file that the JVM must refuse. So no code is thrown away, no
 * thread stopped, and only the few classes that have sites are then transformed in earnest.
 */
@SuppressWarnings("ReferenceEquality") // the thread itself
final class Look {
  private final Thread thread;
  private final List<Class<?>> withSites = new ArrayList<>();
  private int seenCount;

  Look(Thread thread) {
    this.thread = thread;
  }

  boolean isBy(Thread other) {
    return thread == other;
  }

  int seenCount() {
    return seenCount;
  }

  List<Class<?>> withSites() {
    return withSites;
  }

  /** Receives the class file from the JVM; answers only for the class that it must refuse. */
  byte @Nullable [] seen(Class<?> type, byte[] classFile) {
    try {
      if (type == Refused.class) {
        return withOtherFlags(classFile);
      }
      seenCount++;
      if (SiteFinder.mayHaveSites(classFile)) {
        withSites.add(type);
      }
    } catch (Throwable _) {
      // A class that was not seen is transformed in earnest.
    }
    return null;
  }

  private static byte[] withOtherFlags(byte[] classFile) {
    ClassFile file = ClassFile.of();
    ClassModel model = file.parse(classFile);
    int flags = model.flags().flagsMask() ^ ClassFile.ACC_FINAL;
    return file.transformClass(
        model, ClassTransform.endHandler(builder -> builder.withFlags(flags)));
  }

  /** The class whose change the JVM refuses: a final class cannot become one that is not. */
  static final class Refused {
    private Refused() {}
  }
}
