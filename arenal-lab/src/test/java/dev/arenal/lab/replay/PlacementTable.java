package dev.arenal.lab.replay;

import dev.arenal.lab.replay.PlacementSimulation.Policy;
import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.Traces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Prints what ways to place small arenas would keep of traces, at the peak and in the valley, over
 * what is used: {@code PlacementTable TRACE...}, with the test classes of the lab.
 */
final class PlacementTable {
  private PlacementTable() {}

  public static void main(String[] args) throws IOException {
    List<String> names = args.length == 0 ? Traces.embeddedNames() : List.of(args);
    for (String name : names) {
      print(name);
    }
  }

  private static void print(String name) throws IOException {
    ProgramBuilder builder = new ProgramBuilder();
    TraceInfo info = Traces.read(name, builder);
    ReplayProgram program = builder.build(info.name());
    Phases phases = TracePlan.of(program).phases();
    long[] operations =
        Stream.of(phases.peak(), phases.valley())
            .filter(Objects::nonNull)
            .mapToLong(Phases.Phase::operation)
            .toArray();
    long[] used =
        Stream.of(phases.peak(), phases.valley())
            .filter(Objects::nonNull)
            .mapToLong(Phases.Phase::usedBytes)
            .toArray();
    System.out.printf(
        "%s: %,d arenas of %,d loaders, used %s MiB%n",
        info.name(), info.arenaCount(), info.loaderCount(), mebibytes(used));
    line("hotspot", LongStream.of(operations).map(program.hotspot()::committedBytesAfter), used);
    line("clairvoyant", LongStream.of(ClairvoyantCurve.committedBytes(program, operations)), used);
    for (Policy policy : policies()) {
      line(
          policy.toString(),
          LongStream.of(PlacementSimulation.committedBytes(program, policy, operations)),
          used);
    }
  }

  private static List<Policy> policies() {
    List<Policy> policies = new ArrayList<>(List.of(Policy.OWN_PAGES));
    for (int pieceBytes : new int[] {256, 512, 1024}) {
      for (int mostPages : new int[] {1, 2, 4, 8, 16}) {
        policies.add(new Policy(pieceBytes, mostPages * 4096, true));
      }
    }
    policies.add(new Policy(512, 16384, false));
    return policies;
  }

  private static void line(String what, LongStream committed, long[] used) {
    long[] bytes = committed.toArray();
    StringBuilder line = new StringBuilder("  %-62s".formatted(what));
    for (int i = 0; i < bytes.length; i++) {
      line.append("%9.1f %5.3f".formatted(bytes[i] / 1048576.0, (double) bytes[i] / used[i]));
    }
    System.out.println(line);
  }

  private static String mebibytes(long[] bytes) {
    List<String> texts = new ArrayList<>();
    for (long each : bytes) {
      texts.add("%.1f".formatted(each / 1048576.0));
    }
    return String.join(" and ", texts);
  }
}
