package dev.arenal.lab.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The JVMs to be compared, each with a name of its own. */
public final class JvmSelection {
  private JvmSelection() {}

  /** Those of this machine, one per feature version, oldest first. */
  public static List<JvmSpec> found() {
    return labelled(JvmFinder.ofThisMachine().find());
  }

  /** Those the user names; all are checked before any is started. */
  public static List<JvmSpec> given(List<String> arguments) throws IOException {
    List<JvmSpec> specs = new ArrayList<>();
    for (String argument : arguments) {
      JvmArgument jvm = JvmArgument.parse(argument);
      specs.add(spec(jvm.launcher(), jvm.flags()));
    }
    return labelled(specs);
  }

  /** The stock JVM in front, unless there already is one without flags. */
  public static List<JvmSpec> withStock(Path launcher, List<JvmSpec> specs) throws IOException {
    if (specs.stream().anyMatch(spec -> spec.isStock() && spec.flags().isEmpty())) {
      return specs;
    }
    List<JvmSpec> all = new ArrayList<>();
    all.add(spec(launcher, List.of()));
    all.addAll(specs);
    return labelled(all);
  }

  private static JvmSpec spec(Path launcher, List<String> flags) throws IOException {
    LauncherProperties properties =
        LauncherProperties.require(launcher, JvmSpec.OLDEST, "this JVM cannot be compared");
    return new JvmSpec("", launcher, properties.version(), properties.feature(), flags);
  }

  /** Names as short as they can be while no two are the same. */
  static List<JvmSpec> labelled(List<JvmSpec> specs) {
    Map<String, Integer> shortLabelCounts = new HashMap<>();
    specs.forEach(spec -> shortLabelCounts.merge(label(spec, false), 1, Integer::sum));
    Map<String, Integer> labelCounts = new HashMap<>();
    List<JvmSpec> labelled = new ArrayList<>();
    for (JvmSpec spec : specs) {
      boolean isShort = shortLabelCounts.getOrDefault(label(spec, false), 0) == 1;
      String label = label(spec, !isShort);
      int number = labelCounts.merge(label, 1, Integer::sum);
      labelled.add(spec.withLabel(number == 1 ? label : label + " #" + number));
    }
    return labelled;
  }

  private static String label(JvmSpec spec, boolean isWhole) {
    String label = "JDK " + (isWhole ? spec.version() : spec.feature());
    String stock = spec.isStock() ? " (stock)" : "";
    // -XX: says nothing that the rest does not, and takes the room of a figure.
    String flags =
        spec.flags().stream()
            .map(flag -> " " + flag.replaceFirst("^-XX:", ""))
            .collect(Collectors.joining());
    return label + stock + flags;
  }
}
