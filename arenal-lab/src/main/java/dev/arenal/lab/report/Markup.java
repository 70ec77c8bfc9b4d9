package dev.arenal.lab.report;

import java.util.Locale;

/** The few things HTML and SVG need from text and figures. */
final class Markup {
  private Markup() {}

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A coordinate: a tenth of a unit is finer than a pixel. */
  static String coordinate(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** JSON inside a script element: no closing tag can end it early. */
  static String scriptSafe(String json) {
    return json.replace("<", "\\u003c");
  }
}
