package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * Where figures were measured, as {@code env.json} beside them: what a reader needs to judge them,
 * and nothing that names the machine. The lab writes the same facts under the same names.
 */
final class Environment {
  private static final long KIB_PER_GIB = 1024 * 1024;
  private static final String UNKNOWN = "unknown";

  private Environment() {}

  /** This machine, now, and the JVM that was measured. */
  static ObjectNode here(String jvm, String commit) {
    ObjectNode facts = JsonNodeFactory.instance.objectNode();
    facts.put("date", now());
    facts.put("commit", commit);
    facts.put("jvm", jvm);
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("architecture", System.getProperty("os.arch"));
    facts.put("processor", value("/proc/cpuinfo", "model name"));
    facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    facts.put("huge pages", firstLine("/sys/kernel/mm/transparent_hugepage/enabled"));
    facts.put("overcommit", firstLine("/proc/sys/vm/overcommit_memory"));
    facts.put("load", firstLine("/proc/loadavg").split(" ", 2)[0]);
    return facts;
  }

  /** The facts in one sentence, those that are there. */
  static String sentence(JsonNode facts) {
    List<String> parts = new ArrayList<>();
    add(parts, facts, "date", "%s");
    add(parts, facts, "commit", "commit %s");
    add(parts, facts, "jvm", "%s");
    add(parts, facts, "processor", "%s");
    add(parts, facts, "cores", "%s cores");
    add(parts, facts, "memory", "%s");
    add(parts, facts, "kernel", "%s");
    return String.join(", ", parts) + ".";
  }

  private static void add(List<String> parts, JsonNode facts, String name, String format) {
    if (facts.path(name).isTextual()) {
      parts.add(format.formatted(facts.path(name).asText()));
    }
  }

  private static String now() {
    return ZonedDateTime.now(ZoneOffset.UTC)
        .format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'"));
  }

  private static String memory() {
    String digits = value("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
    return digits.isEmpty() ? UNKNOWN : Long.parseLong(digits) / KIB_PER_GIB + " GiB";
  }

  private static String value(String file, String key) {
    return lines(file).stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(UNKNOWN);
  }

  private static String firstLine(String file) {
    return lines(file).stream().findFirst().orElse(UNKNOWN).strip();
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      return List.of();
    }
  }
}
