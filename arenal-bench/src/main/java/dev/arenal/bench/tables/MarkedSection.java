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
    return replace(file, document, BEGIN, END, section);
  }

  /** The same for a part with a name, if the document has one. */
  static String replaceNamed(String file, String document, String name, String section) {
    String begin = "<!-- results:%s:begin -->".formatted(name);
    String end = "<!-- results:%s:end -->".formatted(name);
    return document.contains(begin) || document.contains(end)
        ? replace(file, document, begin, end, section)
        : document;
  }

  private static String replace(
      String file, String document, String beginMark, String endMark, String section) {
    int begin = document.indexOf(beginMark);
    int end = document.indexOf(endMark);
    boolean one = document.lastIndexOf(beginMark) == begin && document.lastIndexOf(endMark) == end;
    if (begin < 0 || end < begin || !one) {
      throw new IllegalArgumentException(
          "markers are wrong: file=%s (expected one line %s and after it one line %s)"
              .formatted(file, beginMark, endMark));
    }
    return document.substring(0, begin + beginMark.length())
        + "\n"
        + section.strip()
        + "\n"
        + document.substring(end);
  }
}
