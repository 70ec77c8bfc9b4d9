package dev.arenal.corpus.tomcat.app;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import org.joda.time.DateTime;
import org.joda.time.DateTimeConstants;
import org.joda.time.DateTimeZone;
import org.joda.time.Interval;
import org.joda.time.LocalDate;
import org.joda.time.Period;
import org.joda.time.format.DateTimeFormat;
import org.joda.time.format.ISODateTimeFormat;
import org.joda.time.format.PeriodFormat;

/** Answers with appointments of a week, by Joda-Time. */
@WebServlet(urlPatterns = "/calendar", loadOnStartup = 1)
public final class CalendarServlet extends HttpServlet {
  public static final String[] LIBRARIES = {"joda-time"};
  private static final long serialVersionUID = 1;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Random random = new Random(Integer.parseInt(request.getParameter("seed")));
    DateTimeZone zone = random.nextBoolean() ? DateTimeZone.UTC : DateTimeZone.forID("Asia/Tokyo");
    LocalDate monday =
        new LocalDate(2026, 1, 1)
            .plusWeeks(random.nextInt(100))
            .withDayOfWeek(DateTimeConstants.MONDAY);
    response.setContentType("text/plain");
    for (int i = 1 + random.nextInt(9); i > 0; i--) {
      DateTime start =
          monday.plusDays(random.nextInt(7)).toDateTimeAtStartOfDay(zone).plusMinutes(i * 45);
      Interval interval = new Interval(start, Period.minutes(15 + random.nextInt(120)));
      response.getWriter().print(DateTimeFormat.forPattern("EEE d MMM, HH:mm").print(start));
      response.getWriter().print(" " + ISODateTimeFormat.basicDateTime().print(interval.getEnd()));
      response
          .getWriter()
          .println(" " + PeriodFormat.wordBased(Locale.ENGLISH).print(interval.toPeriod()));
    }
  }
}
