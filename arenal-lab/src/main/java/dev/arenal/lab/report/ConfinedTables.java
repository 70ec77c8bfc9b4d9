package dev.arenal.lab.report;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.ConfinedClaims;
import dev.arenal.lab.confined.ConfinedResult;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Verdict;
import dev.arenal.lab.confined.Verdict.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Measurements of confined arenas as tables. */
public final class ConfinedTables {
  private final List<ConfinedResult> results;
  private final List<Factory> factories;

  private ConfinedTables(List<ConfinedResult> results) {
    this.results = results;
    this.factories =
        List.of(Factory.values()).stream()
            .filter(
                factory -> results.stream().anyMatch(result -> result.cell().factory() == factory))
            .toList();
  }

  /** The figures, and below them what is claimed, as lines for a terminal. */
  public static List<String> lines(List<ConfinedResult> results) {
    if (results.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add("confined: an arena from open to close, by what is done with it");
    lines.addAll(times(results).lines());
    lines.add("");
    if (!measured(results).isEmpty()) {
      lines.add("against Arena.ofConfined(), as claimed for JDK 25 on Linux x86-64:");
      lines.addAll(verdicts(results).lines());
      lines.add("");
    }
    return lines;
  }

  /** A row for each shape, size and kind of thread, the time of each factory in it. */
  static TextTable times(List<ConfinedResult> results) {
    return new ConfinedTables(results).times();
  }

  /** The claims of which there are figures; a part of all shapes has a part of them. */
  static List<Verdict> measured(List<ConfinedResult> results) {
    return ConfinedClaims.verdicts(results).stream()
        .filter(verdict -> verdict.outcome() != Outcome.NOT_MEASURED)
        .toList();
  }

  /** A row for each claim that was measured. */
  static TextTable verdicts(List<ConfinedResult> results) {
    TextTable table =
        new TextTable()
            .column("", "claim")
            .column("", "original")
            .column("", "wanted")
            .column("", "here")
            .column("", "verdict");
    for (Verdict verdict : measured(results)) {
      table.row(
          List.of(
              verdict.what(),
              verdict.original(),
              verdict.wanted(),
              verdict.shown(),
              verdict.outcome().label()));
    }
    return table;
  }

  private TextTable times() {
    TextTable table = new TextTable().column("", "shape").column("", "bytes").column("", "thread");
    for (Factory factory : factories) {
      table.column("ns per arena", factory.label());
      if (Factory.PAIR.contains(factory)) {
        table.column("ns per arena", "±");
      }
    }
    boolean hasPair = factories.containsAll(Factory.PAIR);
    if (hasPair) {
      table.column("", "jdk/pooled");
    }
    for (Factory factory : factories) {
      if (Factory.PAIR.contains(factory)) {
        table.column("B/op", factory.label());
      }
    }
    for (ConfinedCell row : rows()) {
      table.row(cells(row, hasPair));
    }
    return table;
  }

  /** What is the same for all factories, with any one of them. */
  private Set<ConfinedCell> rows() {
    Set<ConfinedCell> rows = new LinkedHashSet<>();
    results.forEach(result -> rows.add(of(result.cell(), Factory.JDK)));
    return rows;
  }

  private static ConfinedCell of(ConfinedCell cell, Factory factory) {
    return new ConfinedCell(cell.shape(), cell.sizeBytes(), cell.isVirtual(), factory);
  }

  private List<String> cells(ConfinedCell row, boolean hasPair) {
    List<String> cells = new ArrayList<>();
    cells.add(row.shape().label());
    cells.add(Figures.count(row.sizeBytes()));
    cells.add(row.threads());
    for (Factory factory : factories) {
      ConfinedResult result = find(of(row, factory));
      cells.add(nanos(result == null ? null : result.nanosPerOperation()));
      if (Factory.PAIR.contains(factory)) {
        cells.add(nanos(result == null ? null : result.errorNanos()));
      }
    }
    if (hasPair) {
      OptionalDouble ratio =
          ConfinedClaims.ratio(results, row.shape(), row.sizeBytes(), row.isVirtual());
      cells.add(
          ratio.isEmpty()
              ? Figures.NONE
              : String.format(Locale.ROOT, "%.1fx", ratio.getAsDouble()));
    }
    for (Factory factory : factories) {
      if (Factory.PAIR.contains(factory)) {
        ConfinedResult result = find(of(row, factory));
        Double bytes = result == null ? null : result.bytesPerOperation();
        cells.add(bytes == null ? Figures.NONE : String.format(Locale.ROOT, "%,.0f", bytes));
      }
    }
    return cells;
  }

  private static String nanos(@Nullable Double nanos) {
    return nanos == null
        ? Figures.NONE
        : String.format(Locale.ROOT, nanos < 100 ? "%.2f" : "%,.0f", nanos);
  }

  private @Nullable ConfinedResult find(ConfinedCell cell) {
    return results.stream().filter(result -> result.cell().equals(cell)).findFirst().orElse(null);
  }
}
