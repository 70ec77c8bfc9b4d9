package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where figures were measured: what a reader needs to judge them, and nothing that names the
 * machine.
 *
 * @param facts names and values, in the order to show them
 */
public record Environment(Map<String, String> facts) {
  private static final long KIB_PER_GIB = 1024 * 1024;

  /** The machine and the JVM that this runs on, now. */
  public static Environment here() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", ZonedDateTime.now(ZoneOffset.UTC).format(minutes()));
    facts.put("jvm", property("java.vm.name") + " " + property("java.vm.version"));
    facts.put("kernel", property("os.name") + " " + property("os.version"));
    facts.put("architecture", property("os.arch"));
    facts.put("processor", value(Path.of("/proc/cpuinfo"), "model name"));
    facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    facts.put("huge pages", text(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")));
    facts.put("overcommit", text(Path.of("/proc/sys/vm/overcommit_memory")));
    return new Environment(facts);
  }

  /** The facts that were written beside results. */
  public static Environment read(Path file) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    Json.read(file, JsonNode.class)
        .properties()
        .forEach(fact -> facts.put(fact.getKey(), fact.getValue().asText()));
    return new Environment(facts);
  }

  /** The facts in one sentence, those that there are. */
  public String sentence() {
    Map<String, String> forms = new LinkedHashMap<>();
    forms.put("date", "%s");
    forms.put("commit", "commit %s");
    forms.put("jvm", "%s");
    forms.put("processor", "%s");
    forms.put("cores", "%s cores");
    forms.put("memory", "%s");
    forms.put("kernel", "%s");
    return forms.entrySet().stream()
        .filter(form -> facts.containsKey(form.getKey()))
        .map(form -> form.getValue().formatted(facts.get(form.getKey())))
        .collect(Collectors.joining(", ", "", "."));
  }

  private static DateTimeFormatter minutes() {
    return DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'");
  }

  private static String memory() {
    String total = value(Path.of("/proc/meminfo"), "MemTotal").replaceAll("\\D", "");
    return total.isEmpty() ? Figures.NONE : Long.parseLong(total) / KIB_PER_GIB + " GiB";
  }

  private static String property(String name) {
    return System.getProperty(name, Figures.NONE);
  }

  private static String value(Path file, String key) {
    for (String line : lines(file)) {
      if (line.startsWith(key)) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return Figures.NONE;
  }

  private static String text(Path file) {
    return lines(file).stream().findFirst().orElse(Figures.NONE).strip();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
