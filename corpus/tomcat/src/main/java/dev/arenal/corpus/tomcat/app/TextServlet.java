package dev.arenal.corpus.tomcat.app;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.builder.ReflectionToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;
import org.apache.commons.lang3.time.DurationFormatUtils;
import org.apache.commons.lang3.time.FastDateFormat;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.commons.text.StringSubstitutor;
import org.apache.commons.text.WordUtils;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Answers with letters to customers, by Commons Lang and Text. */
@WebServlet(urlPatterns = "/text", loadOnStartup = 1)
public final class TextServlet extends HttpServlet {
  public static final String[] LIBRARIES = {"commons-lang3", "commons-text"};
  private static final long serialVersionUID = 1;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Random random = new Random(Integer.parseInt(request.getParameter("seed")));
    String name = Integer.toString(random.nextInt(1 << 24), 36);
    String time = DurationFormatUtils.formatDurationWords(random.nextInt(1 << 30), true, true);
    String letter =
        StringSubstitutor.replace(
            "dear ${name}, thank you for waiting ${time} for \"${what}\".",
            Map.of(
                "name", name,
                "time", time,
                "what", StringUtils.rightPad(name, 12, '*')));
    response.setContentType("text/plain");
    response.getWriter().println(WordUtils.wrap(WordUtils.capitalizeFully(letter), 40));
    switch (random.nextInt(4)) {
      case 0 -> response.getWriter().println(StringEscapeUtils.escapeHtml4(letter));
      case 1 -> response.getWriter().println(FastDateFormat.getInstance("yyyy-MM-dd").format(0L));
      case 2 ->
          response
              .getWriter()
              .println(
                  ReflectionToStringBuilder.toString(
                      Pair.of(name, letter), ToStringStyle.SHORT_PREFIX_STYLE));
      default -> {
        response.getWriter().println(new JaroWinklerSimilarity().apply(name, letter));
        response.getWriter().println(LevenshteinDistance.getDefaultInstance().apply(name, letter));
      }
    }
  }
}
