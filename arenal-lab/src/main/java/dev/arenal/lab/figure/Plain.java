package dev.arenal.lab.figure;

import dev.arenal.lab.figure.Part.Facts;
import dev.arenal.lab.figure.Part.Group;
import dev.arenal.lab.figure.Part.Heading;
import dev.arenal.lab.figure.Part.Listing;
import dev.arenal.lab.figure.Part.Note;
import java.util.ArrayList;
import java.util.List;

/** Parts as text: lines for a terminal, and documents in Markdown. */
public final class Plain {
  private Plain() {}

  /**
   * Words of a file, which may be anyone's, for a terminal: a character that would move or colour
   * what stands around it is a question mark.
   */
  public static String printable(String words) {
    StringBuilder text = new StringBuilder(words);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
        text.setCharAt(i, '?');
      }
    }
    return text.toString();
  }

  /** Lines for a terminal; what has a heading stands apart. */
  public static List<String> lines(List<? extends Part> parts) {
    List<String> lines = new ArrayList<>();
    for (Part part : parts) {
      switch (part) {
        case Facts facts -> lines.add(facts.name() + ": " + facts.phrase());
        case Note note -> lines.add(note.text());
        case Heading heading -> {
          lines.add("");
          lines.add(heading.text() + ":");
        }
        case Listing listing -> {
          lines.add("");
          lines.add(listing.title() + ":");
          listing.text().lines().forEach(lines::add);
        }
        case Group group when !group.layout().isForPageOnly() -> lines.addAll(lines(group.parts()));
        case Table table -> lines.addAll(table.lines());
        default -> {
          // Nothing for a terminal.
        }
      }
    }
    return lines;
  }

  /** The same for a document, without charts: a document has pictures of its own. */
  public static String markdown(List<? extends Part> parts) {
    return markdown(parts, "##");
  }

  private static String markdown(List<? extends Part> parts, String level) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Facts facts -> paragraph(text, facts.sentence());
        case Part.Explanation explanation -> paragraph(text, explanation.text());
        case Note note -> paragraph(text, note.text());
        case Part.SmallPrint print -> paragraph(text, print.text());
        case Heading heading -> paragraph(text, level + " " + heading.text());
        case Group group -> {
          boolean isTitled = !group.title().isEmpty();
          String inner = markdown(group.parts(), isTitled ? level + "#" : level);
          text.append(
              isTitled && !inner.isEmpty() ? "\n" + level + " " + group.title() + "\n" : "");
          text.append(inner);
        }
        case Table table -> text.append('\n').append(table.markdown());
        default -> {
          // Nothing for a document.
        }
      }
    }
    return text.toString();
  }

  private static void paragraph(StringBuilder text, String words) {
    text.append('\n').append(words).append('\n');
  }
}
