package dev.arenal.bench.tables;

/** The part of a document between two comment lines that a program writes and people do not. */
final class MarkedSection {
  static final String BEGIN = "<!-- results:begin -->";
  static final String END = "<!-- results:end -->";

  private MarkedSection() {}

  /**
   * The document with another section; everything outside the markers stays.
   *
   * @throws IllegalArgumentException if there is not exactly one pair of markers
   */
  static String replace(String file, String document, String section) {
    int begin = document.indexOf(BEGIN);
    int end = document.indexOf(END);
    boolean one = document.lastIndexOf(BEGIN) == begin && document.lastIndexOf(END) == end;
    if (begin < 0 || end < begin || !one) {
      throw new IllegalArgumentException(
          "markers are wrong: file=%s (expected one line %s and after it one line %s)"
              .formatted(file, BEGIN, END));
    }
    return document.substring(0, begin + BEGIN.length())
        + "\n"
        + section.strip()
        + "\n"
        + document.substring(end);
  }
}
