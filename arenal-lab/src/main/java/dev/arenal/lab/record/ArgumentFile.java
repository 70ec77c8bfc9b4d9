package dev.arenal.lab.record;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The words of a file given to the java launcher as {@code @file}.
 *
 * <p>Words end at white space unless it is quoted; within quotes a backslash escapes, and one at
 * the end of a line continues it; # begins a comment.
 */
final class ArgumentFile {
  private final String text;
  private final List<String> words = new ArrayList<>();
  private int position;

  private ArgumentFile(String text) {
    this.text = text;
  }

  static List<String> read(Path file) throws IOException {
    // The launcher takes the bytes as they are; this charset maps each byte and back.
    return parse(Files.readString(file, Charset.defaultCharset()));
  }

  static List<String> parse(String text) {
    ArgumentFile file = new ArgumentFile(text);
    file.parse();
    return file.words;
  }

  private void parse() {
    while (position < text.length()) {
      char next = text.charAt(position);
      if (Character.isWhitespace(next)) {
        position++;
      } else if (next == '#') {
        skipLine();
      } else {
        words.add(word());
      }
    }
  }

  private void skipLine() {
    while (position < text.length() && text.charAt(position) != '\n') {
      position++;
    }
  }

  private String word() {
    StringBuilder word = new StringBuilder();
    char quote = 0;
    while (position < text.length()) {
      char next = text.charAt(position++);
      if (quote == 0 && Character.isWhitespace(next)) {
        break;
      }
      if (quote == 0 && (next == '"' || next == '\'')) {
        quote = next;
      } else if (quote != 0 && next == quote) {
        quote = 0;
      } else if (quote != 0 && next == '\\' && position < text.length()) {
        escape(word);
      } else {
        word.append(next);
      }
    }
    return word.toString();
  }

  private void escape(StringBuilder word) {
    char next = text.charAt(position++);
    switch (next) {
      case 'n' -> word.append('\n');
      case 'r' -> word.append('\r');
      case 't' -> word.append('\t');
      case 'f' -> word.append('\f');
      case '\n', '\r' -> skipIndent();
      default -> word.append(next);
    }
  }

  private void skipIndent() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }
}
