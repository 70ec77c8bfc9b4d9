package dev.arenal.lab.medium;

import dev.arenal.page.PageAllocatorBuilder;
import java.lang.reflect.Method;
import java.util.List;

/**
 * The way to the two variants, which are no setting of the library: a method of its builder that is
 * not public, in a process whose flags open the package to the lab.
 */
final class RefillSeam {
  private static final String METHOD = "refillExperiment";

  private RefillSeam() {}

  /** The flags of such a process; none on the class path, where all packages are open. */
  static List<String> flags() {
    Class<?> target = PageAllocatorBuilder.class;
    Module lab = RefillSeam.class.getModule();
    return lab.isNamed()
        ? List.of(
            "--add-opens=%s/%s=%s"
                .formatted(target.getModule().getName(), target.getPackageName(), lab.getName()))
        : List.of();
  }

  /**
   * Makes an allocator one of the experiment.
   *
   * @param isSynchronized whether one thread at a time replaces a full medium page
   */
  static PageAllocatorBuilder prepare(PageAllocatorBuilder builder, boolean isSynchronized) {
    try {
      Method method = PageAllocatorBuilder.class.getDeclaredMethod(METHOD, boolean.class);
      method.setAccessible(true);
      var _ = method.invoke(builder, isSynchronized);
      return builder;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "the experiment is not in this library: method=%s (expected the one of the same build)"
              .formatted(METHOD),
          e);
    }
  }
}
