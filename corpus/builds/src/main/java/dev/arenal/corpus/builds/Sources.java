package dev.arenal.corpus.builds;

import dev.arenal.corpus.builds.Project.Kind;
import java.util.Random;

/** Writes the sources of a project, not formatted, as by hand. */
final class Sources {
  private static final String[] TYPES = {
    "int", "String", "long", "double", "java.util.List<String>", "boolean"
  };
  private static final String[] VALUES = {
    "seed",
    "\"n\" + seed",
    "seed * 31L",
    "seed / 2.0",
    "java.util.List.of(\"a\", \"b\")",
    "seed > 0"
  };
  private static final String[] NAMES = {
    "price", "owner", "created", "weight", "labels", "open", "total", "note", "place", "code"
  };

  private final String packageName;
  private final Kind kind;
  private final Random random;

  Sources(String packageName, Kind kind, Random random) {
    this.packageName = packageName;
    this.kind = kind;
    this.random = random;
  }

  /** Class Part0, Part1...: each has a static method that uses it. */
  String part(int number) {
    String name = "Part" + number;
    String body =
        switch (kind) {
          case VALUES -> number % 3 == 2 ? service(name) : value(name);
          case INJECTED -> number % 4 == 3 ? service(name) : injected(name, number);
          case PLAIN -> number % 3 == 0 ? shapes(name) : service(name);
        };
    return "package " + packageName + ";\n" + body;
  }

  /** The class that uses all parts. */
  String app(int parts) {
    StringBuilder text = new StringBuilder("package " + packageName + ";\n");
    text.append("import java.util.*;\npublic final class App{\n");
    if (kind == Kind.INJECTED) {
      text.append("@dagger.Module static class Config{");
      text.append("@dagger.Provides String name(){return \"app\";}}\n");
      text.append("@dagger.Component(modules=Config.class)\ninterface Shop{\n");
      for (int i = 0; i < parts; i++) {
        if (i % 4 != 3) {
          text.append("Part").append(i).append(" part").append(i).append("();\n");
        }
      }
      text.append("}\n");
    }
    text.append("public static int run(int seed){ int sum=0;\n");
    if (kind == Kind.INJECTED) {
      text.append("sum+=DaggerApp_Shop.create().part0().hashCode();\n");
    }
    for (int i = 0; i < parts; i++) {
      text.append("sum+=Part").append(i).append(".use(seed+").append(i).append(");");
    }
    return text.append("\nreturn sum; }\n}\n").toString();
  }

  private String value(String name) {
    int count = random.nextInt(2, NAMES.length);
    int first = random.nextInt(TYPES.length);
    boolean builds = random.nextBoolean();
    StringBuilder text = new StringBuilder("import com.google.auto.value.AutoValue;\n");
    text.append("import java.util.Map;\n@AutoValue public abstract class " + name + "{\n");
    StringBuilder builder = new StringBuilder("@AutoValue.Builder interface Builder{\n");
    StringBuilder chain = new StringBuilder("new AutoValue_" + name + ".Builder()");
    StringBuilder arguments = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String type = TYPES[(first + i) % TYPES.length];
      String value = VALUES[(first + i) % TYPES.length];
      text.append("abstract " + type + " " + NAMES[i] + "();");
      builder.append("Builder " + NAMES[i] + "(" + type + " value);\n");
      chain.append("." + NAMES[i] + "(" + value + ")");
      arguments.append(i == 0 ? "" : ",").append(value);
    }
    if (builds) {
      text.append(builder.append(name + " build();\n}\n"));
    }
    text.append("static int use(int seed){ return ");
    text.append(builds ? chain + ".build()" : "new AutoValue_" + name + "(" + arguments + ")");
    return text.append(".hashCode();\n}\n" + methods() + "}\n").toString();
  }

  private String injected(String name, int number) {
    StringBuilder text = new StringBuilder("import javax.inject.*;\n");
    text.append(number % 3 == 1 ? "@dagger.Reusable " : "");
    text.append("final class " + name + "{ private final String name;\n");
    StringBuilder parameters = new StringBuilder("String name");
    StringBuilder body = new StringBuilder("this.name=name;");
    for (int i = Math.max(0, number - 4); i < number; i++) {
      if (i % 4 != 3 && random.nextBoolean()) {
        boolean lazy = random.nextInt(3) == 0;
        parameters.append(lazy ? ", Provider<Part" + i + "> part" : ", Part" + i + " part");
        parameters.append(i);
        body.append(lazy ? "part" + i + ".get();" : "part" + i + ".toString();");
      }
    }
    text.append("@Inject " + name + "(" + parameters + "){" + body + "}\n");
    text.append("static int use(int seed){return seed;}\n");
    text.append("@Override public String toString(){return name;}\n");
    return text.append(methods() + "}\n").toString();
  }

  private String shapes(String name) {
    int count = random.nextInt(2, 7);
    StringBuilder text = new StringBuilder("sealed interface " + name + "{\n");
    StringBuilder cases = new StringBuilder();
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("record Shape" + i + "(double side,String name) implements " + name + "{}\n");
      cases.append("case Shape" + i + "(double side,String name) when side>" + i);
      cases.append("->side*" + random.nextInt(100) + "+name.length();\n");
      list.append(i == 0 ? "" : ",").append("new Shape" + i + "(seed,\"s\"+seed)");
    }
    text.append("static double area(" + name + " shape){ return switch(shape){\n" + cases);
    text.append("default->0;};}\nstatic int use(int seed){ double sum=0;");
    text.append("for(" + name + " each:java.util.List.<" + name + ">of(" + list + "))");
    return text.append("sum+=area(each);return (int)sum;}\n}\n").toString();
  }

  private String service(String name) {
    StringBuilder text = new StringBuilder("import java.util.*;\nimport java.util.stream.*;\n");
    text.append("/** Part of a shop. */ public class " + name + "{\n");
    text.append("private final Map<String,Integer> counts=new TreeMap<>();\n");
    text.append("static int use(int seed){ return new " + name + "().method0(seed);}\n");
    return text.append(methods() + "}\n").toString();
  }

  /** Methods that call the next one, with loops, conditions and lambdas. */
  private String methods() {
    int count = random.nextInt(1, 6);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("int method" + i + "(int seed){ int sum=seed;\n");
      int statements = random.nextInt(1, 8);
      for (int j = 0; j < statements; j++) {
        text.append(statement(random.nextInt(1, 1000)));
      }
      text.append(i + 1 < count ? "return method" + (i + 1) + "(sum);}\n" : "return sum;}\n");
    }
    return text.toString();
  }

  private String statement(int constant) {
    return switch (random.nextInt(5)) {
      case 0 -> "for(int i=0;i<" + constant % 20 + ";i++){sum+=i*seed;}\n";
      case 1 -> "if(sum>" + constant + ")sum-=" + constant + ";else sum++;\n";
      case 2 ->
          "sum+=java.util.stream.IntStream.range(0,"
              + constant % 30
              + ").filter(x->x%3==0).map(x->x*"
              + constant
              + ").sum();\n";
      case 3 -> "sum^=String.valueOf(seed).concat(\"text" + constant + "\").hashCode();\n";
      default -> "switch(sum%4){case 0->sum+=" + constant + ";case 1->sum--;default->sum*=3;}\n";
    };
  }
}
