import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.StringWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Runs google-java-format over all sources below a folder: {@code check} names what differs, {@code
 * apply} rewrites it. A program of its own, because the formatter must run on the JDK of the
 * sources.
 */
final class Format {
  private Format() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !List.of("check", "apply").contains(args[0])) {
      System.err.println("usage: java Format.java check|apply FOLDER");
      System.exit(2);
    }
    boolean apply = args[0].equals("apply");
    Path folder = Path.of(args[1]);
    List<String> complaints =
        Sources.below(folder).parallelStream()
            .map(file -> complaint(file, apply))
            .filter(Objects::nonNull)
            .toList();
    if (!complaints.isEmpty()) {
      complaints.forEach(System.err::println);
      System.err.println("To format all sources: mvn -N -q -Pformat validate");
      System.exit(1);
    }
  }

  /** The complaint about a file; null if there is none, or none any more. */
  private static String complaint(Path file, boolean apply) {
    try {
      String source = Files.readString(file);
      String formatted = format(source);
      if (formatted.equals(source)) {
        return null;
      }
      if (!apply) {
        return "not formatted: " + file;
      }
      Files.writeString(file, formatted);
      System.out.println("formatted " + file);
      return null;
    } catch (FormatterException e) {
      return "cannot be parsed: " + file + ": " + e.getMessage();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String format(String source) throws FormatterException {
    Formatter formatter = new Formatter();
    return StringWrapper.wrap(formatter.formatSourceAndFixImports(source), formatter);
  }
}
