package dev.arenal.lab.record;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Passes on to the program the signals that would end the recorder.
 *
 * <p>The recorder itself lives on until the program has ended, and so the trace of a program that
 * was told to stop is complete. Uses {@code sun.misc.Signal}, the only way there is, by reflection:
 * javac warns about every use and has no way to accept one.
 */
final class SignalForwarding implements AutoCloseable {
  /** Not QUIT: each JVM keeps it for its own dump of threads. */
  private static final List<String> FORWARDED = List.of("INT", "TERM", "HUP", "USR1");

  /** Those that a terminal sends to the program by itself. */
  private static final Set<String> OF_TERMINAL = Set.of("INT", "HUP");

  /** Those that came before the program. */
  private final List<String> early = new ArrayList<>();

  private @Nullable Process program;

  /** Puts back what handled the signals before; last in, first out. */
  private final Deque<Undo> undone = new ArrayDeque<>();

  private SignalForwarding() {}

  /**
   * Forwards until it is closed: then signals mean again what they meant before. One that comes
   * before there is a program waits for it.
   */
  static SignalForwarding start() {
    SignalForwarding forwarding = new SignalForwarding();
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      for (String name : FORWARDED) {
        Object handler =
            Proxy.newProxyInstance(
                SignalForwarding.class.getClassLoader(),
                new Class<?>[] {handlerType},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("handle")) {
                    forwarding.forward(name);
                    return proxy;
                  }
                  return method.invoke(name, arguments);
                });
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        Method handle = signalType.getMethod("handle", signalType, handlerType);
        Object before = handle.invoke(null, signal, handler);
        forwarding.undone.push(() -> handle.invoke(null, signal, before));
      }
    } catch (ReflectiveOperationException e) {
      // Without handlers (the JVM has them for itself under -Xrs) a signal ends the recorder; the
      // program then goes on without it.
      System.getLogger(SignalForwarding.class.getName())
          .log(System.Logger.Level.DEBUG, "signals are not forwarded", e);
    }
    return forwarding;
  }

  @Override
  public void close() {
    while (!undone.isEmpty()) {
      try {
        var _ = undone.pop().undo();
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("a signal that was handled once can be handled again", e);
      }
    }
  }

  /** Something done by reflection that is taken back. */
  @FunctionalInterface
  private interface Undo {
    Object undo() throws ReflectiveOperationException;
  }

  /** Says which program gets them: those that came before it, too. */
  synchronized void to(Process started) {
    program = started;
    early.forEach(name -> send(name, started));
  }

  private synchronized void forward(String name) {
    if (program == null) {
      early.add(name);
    } else if (!OF_TERMINAL.contains(name) || !isForeground()) { // or the terminal has sent it
      send(name, program);
    }
  }

  private static void send(String name, Process program) {
    if (name.equals("TERM")) {
      program.destroy();
      return;
    }
    try {
      new ProcessBuilder("sh", "-c", "kill -s " + name + " " + program.pid()).inheritIO().start();
    } catch (IOException e) {
      program.destroy();
    }
  }

  /** Says whether our process group, which is the program's too, is the terminal's foreground. */
  private static boolean isForeground() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      // After the name in parentheses: state, parent, process group, session, terminal, foreground.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return fields[2].equals(fields[5]);
    } catch (IOException e) {
      return false;
    }
  }
}
