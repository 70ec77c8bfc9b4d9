package dev.arenal.lab.heap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command line of a child JVM: the same Java and the same code as this one. */
public final class ChildJvm {
  /** Variables that would change the JVM behind the back of the command line. */
  private static final List<String> DISTURBING_VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private static final String PRELOAD_VARIABLE = "LD_PRELOAD";

  private ChildJvm() {}

  /**
   * The command for one allocator.
   *
   * @param main the class whose program it runs
   * @param user the allocator
   * @param library its library if it is in one: preloaded where it must be, and the last argument
   * @param flags of the JVM
   * @param arguments of the program
   */
  public static ProcessBuilder builder(
      Class<?> main,
      HeapUser user,
      @Nullable Path library,
      List<String> flags,
      List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(codeFlags(main));
    command.addAll(arguments);
    if (library != null) {
      command.add(library.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    DISTURBING_VARIABLES.forEach(environment::remove);
    HeapKind heap = user.heap();
    if (library != null && heap != null && heap.isPreloaded()) {
      environment.merge(PRELOAD_VARIABLE, library.toString(), (users, ours) -> ours + ":" + users);
    }
    return builder;
  }

  private static List<String> codeFlags(Class<?> main) {
    Module module = main.getModule();
    if (module.isNamed()) {
      return List.of(
          "--enable-native-access=dev.arenal," + module.getName(),
          "--module-path",
          System.getProperty("jdk.module.path"),
          "--module",
          module.getName() + "/" + main.getName());
    }
    return List.of(
        "--enable-native-access=ALL-UNNAMED",
        "--class-path",
        System.getProperty("java.class.path"),
        main.getName());
  }
}
