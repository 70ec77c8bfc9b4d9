package dev.arenal.lab.proxy;

import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.process.Program;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The proxy in a process of its own, whose memory is the proxy's alone. */
final class ProxyProcess implements AutoCloseable {
  /** The Java heap, all of it resident from the start. */
  static final long JAVA_HEAP_BYTES = 256 << 20;

  private static final int BYTES_PER_KB = 1024;

  /**
   * A Java heap that is resident from the start and never grows, so that what comes and goes is not
   * the heap. As much direct memory as there is: the default is the size of the heap.
   */
  private static final List<String> JVM_FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms" + JAVA_HEAP_BYTES,
          "-Xmx" + JAVA_HEAP_BYTES,
          "-Xmn128m",
          "-XX:+AlwaysPreTouch",
          "-XX:-UsePerfData",
          "-XX:MaxDirectMemorySize=64g");

  /**
   * Flags with which Netty is at its best: on Java 25 it may use Unsafe, and call malloc; and it
   * has the chunks and thread caches that it leaves out where the JVM may have 512 MiB or less.
   */
  private static final List<String> NETTY_FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Dio.netty.noUnsafe=false",
          "-Dio.netty.tryReflectionSetAccessible=true",
          "-Dio.netty.allocator.lowMemory=false",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

  private final Program program;
  private final BufferedReader lines;
  private final BufferedWriter input;
  private final Path status;
  private final int port;
  private final String transport;
  private final String library;

  private ProxyProcess(
      Program program, BufferedReader lines, int port, String transport, String library) {
    this.program = program;
    this.lines = lines;
    this.port = port;
    this.transport = transport;
    this.library = library;
    this.status = Path.of("/proc/" + program.process().pid() + "/status");
    this.input =
        new BufferedWriter(
            new OutputStreamWriter(program.process().getOutputStream(), StandardCharsets.US_ASCII));
  }

  /**
   * Starts it.
   *
   * @param group the control group for it; null for none
   */
  static ProxyProcess start(ProxySetup setup, int originPort, @Nullable String group)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (group != null) {
      command.addAll(List.of("sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\""));
      command.add(group);
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags(setup));
    command.add("-cp");
    command.add(OurProgram.word(OurProgram.classPath()));
    command.add(ProxyMain.class.getName());
    command.add(setup.arm().label());
    command.add(Integer.toString(originPort));
    command.add(Integer.toString(setup.waterMarkBytes()));
    command.add(Integer.toString(setup.sendBufferBytes()));
    command.add(Long.toString(setup.delay().toMillis()));
    command.add(setup.transport().label());
    Program program = Program.start(Program.java(command));
    BufferedReader lines = program.lines();
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("port")) {
        return new ProxyProcess(
            program, lines, Integer.parseInt(words[1]), words[2], words[3] + " " + words[4]);
      }
      said.append("\n    ").append(line);
    }
    program.close();
    throw new IOException("the proxy did not start: arm=" + setup.arm().label() + said);
  }

  static List<String> flags(ProxySetup setup) throws IOException {
    List<String> flags = new ArrayList<>(JVM_FLAGS);
    flags.addAll(NETTY_FLAGS);
    if (setup.arm() == ProxyArm.MALLOC_TRIM) {
      flags.add("-XX:TrimNativeHeapInterval=" + setup.delay().toMillis());
    } else if (setup.arm() == ProxyArm.ARENAL_AGENT) {
      Path agent = OurProgram.file(ProxyRun.AGENT);
      flags.add("-javaagent:%s=netty=%d".formatted(agent, setup.delay().toSeconds()));
    }
    return flags;
  }

  int port() {
    return port;
  }

  String transport() {
    return transport;
  }

  String library() {
    return library;
  }

  /** The bytes that wait in the proxy, which is asked; nothing if it has ended. */
  synchronized Optional<Long> waitingBytes() {
    try {
      input.write("?\n");
      input.flush();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("waiting")) {
          return Optional.of(Long.parseLong(words[1]));
        }
        System.err.println(line);
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Its anonymous and shared memory as the kernel counts it; nothing if it has ended. */
  Optional<Long> residentBytes() {
    try {
      long kilobytes = 0;
      boolean isThere = false;
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("RssAnon:") || line.startsWith("RssShmem:")) {
          kilobytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
          isThere = true;
        }
      }
      return isThere ? Optional.of(kilobytes * BYTES_PER_KB) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  boolean isAlive() {
    return program.process().isAlive();
  }

  /** Waits that long, or until it has ended. */
  void await(Duration duration) throws InterruptedException {
    boolean _ = program.process().waitFor(duration.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** How it ended; waits a moment for that. */
  int exitCode() throws InterruptedException {
    return program.process().waitFor(5, TimeUnit.SECONDS) ? program.process().exitValue() : -1;
  }

  @Override
  public void close() {
    program.close();
  }
}
