package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.ConfinedResult;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What {@code ./arenal confined} has measured, as it is looked up for tables and pictures. */
final class ConfinedFigures {
  static final int LARGEST_SMALL_BYTES = 64;

  private final List<ConfinedResult> results;

  private ConfinedFigures(List<ConfinedResult> results) {
    this.results = results;
  }

  /** Reads what the lab has written. */
  static ConfinedFigures of(JsonNode json) {
    List<ConfinedResult> results = new ArrayList<>();
    for (JsonNode node : json.path("results")) {
      ConfinedCell cell =
          new ConfinedCell(
              Shape.valueOf(node.path("shape").asText().toUpperCase(Locale.ROOT)),
              node.path("sizeBytes").asInt(),
              node.path("threads").asText().equals("virtual"),
              Factory.valueOf(node.path("factory").asText().toUpperCase(Locale.ROOT)));
      results.add(
          new ConfinedResult(
              cell,
              node.path("nanosPerOperation").asDouble(),
              number(node.path("errorNanos")),
              number(node.path("bytesPerOperation"))));
    }
    return new ConfinedFigures(results);
  }

  private static @Nullable Double number(JsonNode node) {
    return node.isNumber() ? (Double) node.asDouble() : null;
  }

  List<ConfinedResult> all() {
    return results;
  }

  /** Those that were measured at all, in their order. */
  List<Factory> factories() {
    return List.of(Factory.values()).stream()
        .filter(factory -> results.stream().anyMatch(result -> result.cell().factory() == factory))
        .toList();
  }

  /** What is the same for all factories, as that of the JDK's arena; sizes rise. */
  List<ConfinedCell> rows(boolean isVirtual) {
    return results.stream()
        .map(ConfinedResult::cell)
        .filter(cell -> cell.isVirtual() == isVirtual)
        .map(cell -> with(cell, Factory.JDK))
        .distinct()
        .sorted(Comparator.comparing(ConfinedCell::shape).thenComparingInt(ConfinedCell::sizeBytes))
        .toList();
  }

  static ConfinedCell with(ConfinedCell cell, Factory factory) {
    return new ConfinedCell(cell.shape(), cell.sizeBytes(), cell.isVirtual(), factory);
  }

  /** Time of an operation; not a number where it was not measured. */
  double nanos(ConfinedCell cell) {
    return results.stream()
        .filter(result -> result.cell().equals(cell))
        .mapToDouble(ConfinedResult::nanosPerOperation)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Half of the confidence interval; not a number where there is none. */
  double error(ConfinedCell cell) {
    for (ConfinedResult result : results) {
      Double error = result.errorNanos();
      if (result.cell().equals(cell) && error != null) {
        return error;
      }
    }
    return Double.NaN;
  }

  /** Bytes on the Java heap; not a number where nobody looked. */
  double heapBytes(ConfinedCell cell) {
    for (ConfinedResult result : results) {
      Double bytes = result.bytesPerOperation();
      if (result.cell().equals(cell) && bytes != null) {
        return bytes;
      }
    }
    return Double.NaN;
  }

  /** The small sizes that all these factories were measured with. */
  List<Integer> commonSmallSizes(List<Factory> factories) {
    return rows(false).stream()
        .filter(row -> row.shape() == Shape.ONE && row.sizeBytes() <= LARGEST_SMALL_BYTES)
        .filter(
            row -> factories.stream().noneMatch(factory -> Double.isNaN(nanos(with(row, factory)))))
        .map(ConfinedCell::sizeBytes)
        .toList();
  }

  /** Mean time of one allocation over these sizes; not a number if there is none. */
  double mean(Factory factory, List<Integer> sizesBytes) {
    return sizesBytes.stream()
        .mapToDouble(size -> nanos(new ConfinedCell(Shape.ONE, size, false, factory)))
        .average()
        .orElse(Double.NaN);
  }
}
