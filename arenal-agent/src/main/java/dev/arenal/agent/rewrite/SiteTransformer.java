package dev.arenal.agent.rewrite;

import dev.arenal.agent.sites.Site;
import dev.arenal.agent.sites.SiteFinder;
import java.lang.instrument.ClassFileTransformer;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts other factories behind the sites of each class that is loaded.
 *
 * <p>The JVM calls it in the midst of class loading, with locks held. So it takes no lock around
 * anything that is not its own, calls no class loader, and ends for JDK classes and the agent's own
 * before it needs a class that may not be loaded yet. On any failure the class stays as it was.
 */
@SuppressWarnings("ReferenceEquality") // which loader it is, whatever its equals says
public final class SiteTransformer implements ClassFileTransformer {
  /** Not as one text: where the agent's jar is made, names of the library are changed in texts. */
  private static final String LIBRARY = String.join("/", "dev", "arenal", "");

  private static final List<String> PARTS_OF_LIBRARY =
      List.of(
          "arrow/",
          "confined/",
          "elastic/",
          "events/",
          "guard/",
          "memory/",
          "micrometer/",
          "netty/",
          "os/",
          "page/",
          "pretouch/",
          "reserve/",
          "stats/",
          "supply/",
          "touch/");

  private static final String ROOT = packageOf(SiteTransformer.class, 3);
  private static final String OWN = packageOf(SiteTransformer.class, 2);
  private static final ClassLoader OWN_LOADER = SiteTransformer.class.getClassLoader();
  private static final ClassLoader PLATFORM_LOADER = ClassLoader.getPlatformClassLoader();

  private final RewriteRules rules;
  private final RewriteLog log;
  private final ClassJournal journal = new ClassJournal();
  private volatile @Nullable Look look;
  private volatile @Nullable ClassLoader seeing;

  /** A transformer that follows the rules and logs its work. */
  public SiteTransformer(RewriteRules rules, RewriteLog log) {
    this.rules = rules;
    this.log = log;
  }

  /** The name of a class's package or of one above it, as class files write it. */
  private static String packageOf(Class<?> type, int levels) {
    String name = type.getName().replace('.', '/');
    for (int i = 0; i < levels; i++) {
      name = name.substring(0, name.lastIndexOf('/'));
    }
    return name + "/";
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> loaded,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (loader == null || loader == PLATFORM_LOADER) {
      return null;
    }
    Look current = look;
    if (current != null && loaded != null && current.isBy(Thread.currentThread())) {
      return current.seen(loaded, classFile);
    }
    if (className != null && isOwn(className)) {
      return null;
    }
    try {
      return rewrite(module, loader, className, loaded, domain, classFile);
    } catch (Throwable e) {
      leaveUnread(loader, className, e);
      return null;
    }
  }

  /** Whether it is of the agent, or of a library that the program may have too. */
  static boolean isOwn(String className) {
    return className.startsWith(OWN)
        || isOfLibrary(className, ROOT)
        || isOfLibrary(className, LIBRARY);
  }

  private static boolean isOfLibrary(String className, String root) {
    if (className.startsWith(root)) {
      for (String part : PARTS_OF_LIBRARY) {
        if (className.startsWith(part, root.length())) {
          return true;
        }
      }
    }
    return false;
  }

  private byte @Nullable [] rewrite(
      @Nullable Module module,
      ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> loaded,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    ClassJournal.Entry before =
        loaded == null || className == null ? null : journal.find(loader, className);
    if (before != null && before.isRefused()) {
      return null;
    }
    boolean mustKeepBridges = before != null && before.isBridged();
    if (!mustKeepBridges && (!SiteFinder.mayHaveSites(classFile) || isOfJdk(module, domain))) {
      return null;
    }
    List<Site> sites = SiteFinder.sites(classFile);
    if (!mustKeepBridges && sites.isEmpty()) {
      return null;
    }
    // Loaders need not say how the class is called that they define.
    String name = className == null ? sites.getFirst().className().replace('.', '/') : className;
    if (className == null && isOwn(name)) {
      return null;
    }
    ClassRewrite.Way way = way(loader, loaded, before);
    ClassRewrite rewrite = new ClassRewrite(rules, classFile, sites, way, mustKeepBridges);
    byte[] result = rewrite.run();
    if (journal.note(loader, name, new ClassJournal.Entry(way, rewrite.rewrittenCount()))) {
      tell(name, rewrite);
    }
    return result;
  }

  /** The journal has the outcome already, so that a log without memory must not change it. */
  private void tell(String name, ClassRewrite rewrite) {
    try {
      log.seen(name, rewrite);
    } catch (Throwable _) {
      // Out of memory or of stack: the class is rewritten all the same.
    }
  }

  private ClassRewrite.Way way(
      ClassLoader loader, @Nullable Class<?> loaded, ClassJournal.@Nullable Entry before) {
    if (before != null && before.siteCount() > 0) {
      return before.way();
    }
    if (loader == OWN_LOADER) {
      return ClassRewrite.Way.DIRECT;
    }
    if (loaded == null) {
      return ClassRewrite.Way.BRIDGE;
    }
    return loader == seeing ? ClassRewrite.Way.DIRECT : ClassRewrite.Way.NONE;
  }

  /** Modules of the JDK that the application's loader has; jlink puts others among them. */
  private static boolean isOfJdk(@Nullable Module module, @Nullable ProtectionDomain domain) {
    String name = module == null ? null : module.getName();
    if (name == null || !(name.startsWith("java.") || name.startsWith("jdk."))) {
      return false;
    }
    CodeSource source = domain == null ? null : domain.getCodeSource();
    return source != null
        && source.getLocation() != null
        && "jrt".equals(source.getLocation().getProtocol());
  }

  /** Goes all ways with a class file that is not the program's: for {@link FirstRewrite}. */
  void tryOut(String className, byte[] classFile) {
    for (ClassLoader loader : new ClassLoader[] {OWN_LOADER, PLATFORM_LOADER}) {
      if (rewrite(null, loader, className, null, null, classFile) == null) {
        throw new IllegalStateException("class is not rewritten: class=" + className);
      }
      leaveUnread(loader, className + "$", new IllegalStateException("not tried"));
    }
  }

  private void leaveUnread(ClassLoader loader, @Nullable String className, Throwable e) {
    try {
      String name = className == null ? "unnamed" : className;
      if (journal.note(loader, name, ClassJournal.Entry.UNTOUCHED)) {
        log.leftAlone(name, LeftAlone.UNREADABLE, e);
      }
    } catch (Throwable _) {
      // Out of memory or of stack: nothing can be done, and nothing may be thrown.
    }
  }

  /** The JVM refused the rewritten class. */
  void refused(Class<?> type, Throwable e) {
    String name = type.getName().replace('.', '/');
    ClassLoader loader = type.getClassLoader();
    ClassJournal.Entry entry = loader == null ? null : journal.refuse(loader, name);
    if (entry != null && entry.siteCount() > 0) {
      log.takeBack(entry.siteCount());
    }
    log.leftAlone(name, LeftAlone.REFUSED, e);
  }

  /** Reads class files instead of rewriting them, until {@link #endLook}. */
  void beginLook(Look next) {
    look = next;
  }

  void endLook() {
    look = null;
  }

  /** Until told otherwise, loaded classes of that loader call the agent directly. */
  void setSeeing(@Nullable ClassLoader loader) {
    seeing = loader;
  }
}
