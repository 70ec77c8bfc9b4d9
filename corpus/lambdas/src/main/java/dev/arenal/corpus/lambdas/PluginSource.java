package dev.arenal.corpus.lambdas;

import dev.arenal.corpus.lambdas.EventType.Field;
import dev.arenal.corpus.lambdas.EventType.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The Java source of a plugin: sealed events, and rules, reports, method handles and a proxy over
 * them. A number and a version stand for one source; versions of a number are alike.
 */
final class PluginSource {
  static final String ENTRY = "Entry";

  private static final String IMPORTS =
      """
      import java.lang.invoke.*;
      import java.lang.reflect.*;
      import java.util.*;
      import java.util.function.*;
      import java.util.stream.*;

      """;
  private static final List<String> SUBJECTS =
      List.of(
          "Invoice",
          "Parcel",
          "Claim",
          "Booking",
          "Meter",
          "Ticket",
          "Order",
          "Patient",
          "Vehicle",
          "Contract",
          "Account",
          "Sensor");
  private static final List<String> VERBS =
      List.of(
          "Opened",
          "Closed",
          "Moved",
          "Priced",
          "Checked",
          "Refused",
          "Sent",
          "Merged",
          "Signed",
          "Expired",
          "Split",
          "Archived");
  private static final List<String> FIELDS =
      List.of(
          "amount", "owner", "place", "reason", "weight", "level", "rate", "phase", "source",
          "note", "region", "count");
  private static final List<String> OPERATIONS =
      List.of(
          "open", "close", "find", "count", "send", "retry", "audit", "export", "merge", "ping");

  private final String packageName;
  private final Random shape;
  private final List<EventType> events;
  private final ReportSource reports;

  /** The number decides on the events, number and version on the use that is made of them. */
  PluginSource(int number, int version) {
    Random random = new Random(7_919L * number + 17);
    String subject = SUBJECTS.get(random.nextInt(SUBJECTS.size()));
    packageName = "plugins." + subject.toLowerCase(Locale.ROOT) + number;
    events = events(subject, random);
    shape = new Random(31L * number + 1_000_003L * version);
    reports = new ReportSource(events, shape);
  }

  String packageName() {
    return packageName;
  }

  /** Sources by the names of their classes. */
  Map<String, String> classes() {
    Map<String, String> sources = new LinkedHashMap<>();
    put(sources, "Event", event());
    put(sources, "Rules", new RuleSource(events, shape).source());
    put(sources, "Reports", reports.source());
    put(sources, "Handles", handles());
    put(sources, "Port", port());
    put(sources, ENTRY, entry());
    return sources;
  }

  private void put(Map<String, String> sources, String name, String body) {
    sources.put(packageName + "." + name, "package " + packageName + ";\n\n" + IMPORTS + body);
  }

  private static List<EventType> events(String subject, Random random) {
    List<String> verbs = new ArrayList<>(VERBS);
    Collections.shuffle(verbs, random);
    List<EventType> types = new ArrayList<>();
    for (String verb : verbs.subList(0, 2 + random.nextInt(7))) {
      List<String> names = new ArrayList<>(FIELDS);
      Collections.shuffle(names, random);
      List<Field> fields = new ArrayList<>();
      for (String name : names.subList(0, 1 + random.nextInt(5))) {
        fields.add(new Field(Kind.values()[random.nextInt(Kind.values().length)], name));
      }
      types.add(new EventType(subject + verb, fields));
    }
    return types;
  }

  private String event() {
    StringBuilder records = new StringBuilder();
    for (EventType type : events) {
      records.append(
          """
            record %1$s(%2$s) implements Event {
              static %1$s sample(int n) {
                return new %1$s(%3$s);
              }
            }
          """
              .formatted(
                  type.name(),
                  joined(type, ", ", field -> field.kind().source + " " + field.name()),
                  joined(type, ", ", Field::sample)));
    }
    return "sealed interface Event {\n"
        + records
        + switchOver("String", "describe", this::description)
        + switchOver("long", "weigh", this::weight)
        + "}\n";
  }

  /** A method that is a switch with patterns over all events. */
  private String switchOver(String result, String name, Function<EventType, String> arm) {
    String arms = events.stream().map(arm).collect(Collectors.joining());
    return "  static %s %s(Event event) {\n    return switch (event) {\n%s    };\n  }\n"
        .formatted(result, name, arms);
  }

  private String description(EventType type) {
    String guarded =
        "      case %s(%s) when %s -> %s;\n"
            .formatted(
                type.name(),
                joined(type, ", ", field -> "var " + field.name()),
                type.fields().getFirst().name() + ".hashCode() > " + shape.nextInt(100),
                "\"large \" + " + joined(type, " + \"/\" + ", Field::name));
    String plain =
        "      case %s e -> \"%s \" + %s;\n"
            .formatted(
                type.name(),
                type.name(),
                joined(type, " + \", \" + ", f -> "e." + f.name() + "()"));
    // Only a reference has a hash code.
    return switch (type.fields().getFirst().kind()) {
      case TEXT, TAGS -> guarded + plain;
      default -> plain;
    };
  }

  private String weight(EventType type) {
    String sum = joined(type, " + ", field -> field.weightOf("e"));
    Field field = type.fields().getLast();
    return "      case %1$s e when %2$s -> %3$s;\n      case %1$s e -> %4$d;\n"
        .formatted(
            type.name(), field.conditionOn("e", "" + shape.nextInt(97)), sum, shape.nextInt(97));
  }

  private String handles() {
    StringBuilder body = new StringBuilder();
    for (EventType type : events) {
      Field field = type.fields().get(shape.nextInt(type.fields().size()));
      body.append(
          """
              MethodHandle make%1$s =
                  LOOKUP.findStatic(
                      Event.%1$s.class,
                      "sample",
                      MethodType.methodType(Event.%1$s.class, int.class));
              MethodHandle get%1$s =
                  LOOKUP.findVirtual(Event.%1$s.class, "%2$s", MethodType.methodType(%3$s));
              all.add(MethodHandles.filterReturnValue(make%1$s, get%1$s));
          """
              .formatted(type.name(), field.name(), field.kind().literal()));
    }
    return """
    @SuppressWarnings({"unchecked", "rawtypes"})
    final class Handles {
      private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

      static List<IntFunction> all() throws ReflectiveOperationException {
        List<MethodHandle> all = new ArrayList<>();
    %s    List<IntFunction> functions = new ArrayList<>();
        for (MethodHandle handle : all) {
          functions.add(MethodHandleProxies.asInterfaceInstance(IntFunction.class, handle));
        }
        return functions;
      }
    }
    """
        .formatted(body);
  }

  private String port() {
    List<String> names = new ArrayList<>(OPERATIONS);
    Collections.shuffle(names, shape);
    String methods =
        names.subList(0, 2 + shape.nextInt(6)).stream()
            .map(name -> "  Object " + name + "(Event event, int n);\n")
            .collect(Collectors.joining());
    return """
    interface Port {
    %s
      static Port of(String name) {
        return (Port) Proxy.newProxyInstance(
            Port.class.getClassLoader(),
            new Class<?>[] {Port.class},
            (proxy, method, arguments) -> name + "." + method.getName() + arguments.length);
      }

      static Object callAll(Event event, int n) {
        Port port = Port.of("p" + n);
        return List.of(%s);
      }
    }
    """
        .formatted(
            methods,
            names.subList(0, 2).stream()
                .map(name -> "port." + name + "(event, n)")
                .collect(Collectors.joining(", ")));
  }

  /** A plugin does a part with each request, so its call sites are linked bit by bit. */
  private String entry() {
    String choices =
        IntStream.range(0, reports.count())
            .mapToObj(i -> "      case %1$d -> Reports.report%1$d(events);\n".formatted(i))
            .collect(Collectors.joining());
    return """
    public final class Entry implements IntFunction<String> {
      private final Rules rules = new Rules(%d);
      private List<IntFunction> handles;

      @Override
      public String apply(int n) {
        List<Event> events = rules.events(n);
        Event first = events.get(n %% events.size());
        String text = Event.describe(first) + Event.weigh(first) + rules.apply(first, n);
        Object report = switch (n %% %d) {
    %s      default -> n %% 2 == 0 ? Port.callAll(first, n) : handle(n);
        };
        return text + report;
      }

      private Object handle(int n) {
        try {
          if (handles == null) {
            handles = Handles.all();
          }
          return handles.get(n %% handles.size()).apply(n);
        } catch (ReflectiveOperationException e) {
          throw new LinkageError("handles", e);
        }
      }
    }
    """
        .formatted(shape.nextInt(90), reports.count() + 2, choices);
  }

  private static String joined(EventType type, String between, Function<Field, String> each) {
    return type.fields().stream().map(each).collect(Collectors.joining(between));
  }
}
