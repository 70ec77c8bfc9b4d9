package dev.arenal.corpus.clojure;

import clojure.lang.Compiler;
import clojure.lang.DynamicClassLoader;
import clojure.lang.IFn;
import clojure.lang.LineNumberingPushbackReader;
import clojure.lang.LispReader;
import clojure.lang.Namespace;
import clojure.lang.RT;
import clojure.lang.Symbol;
import clojure.lang.Var;
import java.io.StringReader;
import java.util.Random;

/** A person's REPL: a class loader and a namespace of its own, and perhaps a project's files. */
final class Session {
  private static final int FEW_INPUTS = 20;
  private static final int MOST_INPUTS = 260;
  private static final int MOST_FILES = 3;
  private static final int LEAST_FORMS = 8;
  private static final int MOST_FORMS = 35;
  private static final int RELOAD_ODDS = 40;
  private static final Long PRINTED = 20L;

  private static final IFn PRINT = RT.var("clojure.core", "pr-str");
  private static final Var WARN = RT.var("clojure.core", "*warn-on-reflection*");
  private static final Var PRINT_LENGTH = RT.var("clojure.core", "*print-length*");
  private static final Var[] LAST = {
    RT.var("clojure.core", "*1"), RT.var("clojure.core", "*2"), RT.var("clojure.core", "*3")
  };

  private final String name;
  private final long seed;
  private final Random random;
  private final FormWriter writer;
  private final DynamicClassLoader loader = new DynamicClassLoader(RT.class.getClassLoader());
  private final Object[] last = new Object[LAST.length];
  private Object namespace = RT.var("clojure.core", "*ns*").getRawRoot();
  private int files;
  private int inputsLeft;

  Session(int number) {
    name = "user.s" + number;
    seed = number * 1_000_003L;
    random = new Random(seed);
    writer = new FormWriter(seed);
    inputsLeft = FEW_INPUTS + random.nextInt(MOST_INPUTS - FEW_INPUTS);
  }

  /** Sets up the namespace, and loads the project's files if there is a project. */
  void open() {
    int count = random.nextInt(3) == 0 ? 1 + random.nextInt(MOST_FILES) : 0;
    for (; files < count; files++) {
      writer.use(load(files), fileName(files));
    }
    evaluate(writer.header(name));
  }

  boolean isDone() {
    return inputsLeft == 0;
  }

  /** One more input, or now and then a file that was edited and is loaded again. */
  void next() {
    inputsLeft--;
    if (files > 0 && random.nextInt(RELOAD_ODDS) == 0) {
      load(random.nextInt(files));
    } else {
      evaluate(writer.next());
    }
  }

  /** Removes the namespaces, as otherwise nothing would ever go. */
  void close() {
    for (int i = 0; i < files; i++) {
      Namespace.remove(Symbol.intern(fileName(i)));
    }
    Namespace.remove(Symbol.intern(name));
  }

  private String fileName(int file) {
    return "%s.lib%d".formatted(name, file);
  }

  private FormWriter load(int file) {
    FormWriter text = new FormWriter(seed + 1 + file);
    int forms = LEAST_FORMS + random.nextInt(MOST_FORMS - LEAST_FORMS);
    String path = fileName(file).replace('.', '/') + ".clj";
    bound(() -> {
      StringReader reader = new StringReader(text.file(fileName(file), forms));
      Compiler.load(reader, path, path.substring(path.lastIndexOf('/') + 1));
    });
    return text;
  }

  /** Reads, evaluates and prints, form by form. */
  private void evaluate(String text) {
    bound(() -> {
      Object end = new Object();
      var reader = new LineNumberingPushbackReader(new StringReader(text));
      Object form = LispReader.read(reader, false, end, false);
      while (form != end) {
        Object value = Compiler.eval(form);
        PRINT.invoke(value);
        System.arraycopy(last, 0, last, 1, last.length - 1);
        last[0] = value;
        form = LispReader.read(reader, false, end, false);
      }
      namespace = RT.CURRENT_NS.deref();
    });
  }

  private void bound(Runnable action) {
    Var.pushThreadBindings(
        RT.map(
            RT.CURRENT_NS,
            namespace,
            Compiler.LOADER,
            loader,
            WARN,
            Boolean.FALSE,
            PRINT_LENGTH,
            PRINTED,
            LAST[0],
            last[0],
            LAST[1],
            last[1],
            LAST[2],
            last[2]));
    try {
      action.run();
    } finally {
      Var.popThreadBindings();
    }
  }
}
