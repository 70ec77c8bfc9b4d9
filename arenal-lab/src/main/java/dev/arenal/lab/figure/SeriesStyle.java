package dev.arenal.lab.figure;

import java.util.List;
import java.util.Locale;

/**
 * How a curve is drawn: a colour and a pattern, so that no two curves differ in colour alone. What
 * belongs together shares a colour and differs in its pattern.
 *
 * <p>The colours are in the style sheet, for light pages, dark pages and paper.
 */
public enum SeriesStyle {
  /** Filled down to zero: what is live, below everything that is kept for it. */
  USED_AREA,
  ONE,
  ONE_DASHED,
  ONE_DOTTED,
  ONE_DASHDOT,
  ONE_WIDE,
  TWO,
  TWO_DASHED,
  TWO_DOTTED,
  TWO_DASHDOT,
  TWO_WIDE,
  THREE,
  THREE_DASHED,
  THREE_DOTTED,
  THREE_DASHDOT,
  THREE_WIDE,
  FOUR,
  FOUR_DASHED,
  FOUR_DOTTED,
  FOUR_DASHDOT,
  FOUR_WIDE,
  FIVE,
  FIVE_DASHED,
  FIVE_DOTTED,
  FIVE_DASHDOT,
  FIVE_WIDE,
  SIX,
  SIX_DASHED,
  SIX_DOTTED,
  SIX_DASHDOT,
  SIX_WIDE;

  private static final List<String> COLOURS = List.of("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX");
  private static final List<String> PATTERNS = List.of("", "_DASHED", "_DOTTED", "_DASHDOT");

  /** The style of the n-th thing of many: first all colours, then all again in another pattern. */
  public static SeriesStyle ofIndex(int index) {
    String pattern = PATTERNS.get(index / COLOURS.size() % PATTERNS.size());
    return valueOf(COLOURS.get(index % COLOURS.size()) + pattern);
  }

  /** The same colour as an unbroken line. */
  public SeriesStyle solid() {
    return this == USED_AREA ? this : valueOf(colour());
  }

  /** The same colour as a dashed line. */
  public SeriesStyle dashed() {
    return this == USED_AREA ? this : valueOf(colour() + "_DASHED");
  }

  /** The same colour as a wide pale line, to lie below a thin one. */
  public SeriesStyle wide() {
    return this == USED_AREA ? this : valueOf(colour() + "_WIDE");
  }

  private String colour() {
    int end = name().indexOf('_');
    return end < 0 ? name() : name().substring(0, end);
  }

  /** The classes it has in the style sheet. */
  String cssClasses() {
    return this == USED_AREA ? "used" : "line " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
