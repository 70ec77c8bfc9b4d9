package dev.arenal.corpus.tomcat.app;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.StringReader;
import java.util.Random;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.math3.distribution.LogNormalDistribution;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/** Answers with a table of measurements and their statistics, by Commons CSV and Math. */
@WebServlet(urlPatterns = "/table", loadOnStartup = 1)
public final class TableServlet extends HttpServlet {
  public static final String[] LIBRARIES = {
    "commons-csv", "commons-math3", "commons-io", "commons-codec"
  };
  private static final long serialVersionUID = 1;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Random random = new Random(Integer.parseInt(request.getParameter("seed")));
    CSVFormat format = CSVFormat.EXCEL.builder().setHeader("day", "sold", "note").get();
    LogNormalDistribution sold =
        new LogNormalDistribution(new Well19937c(random.nextInt()), 4, 1, 1e-9);
    StringBuilder text = new StringBuilder();
    try (CSVPrinter printer = new CSVPrinter(text, format)) {
      for (int day = 1 + random.nextInt(90); day > 0; day--) {
        printer.printRecord(day, sold.sample(), random.nextInt(9) == 0 ? "a \"holiday\"" : "");
      }
    }
    DescriptiveStatistics statistics = new DescriptiveStatistics();
    SimpleRegression trend = new SimpleRegression();
    CSVFormat reading = format.builder().setSkipHeaderRecord(true).get();
    try (CSVParser parser = reading.parse(new StringReader(text.toString()))) {
      for (CSVRecord line : parser) {
        double value = Double.parseDouble(line.get("sold"));
        statistics.addValue(value);
        trend.addData(Double.parseDouble(line.get("day")), value);
      }
    }
    response.setContentType("text/csv");
    response.getWriter().println(text);
    response.getWriter().println(statistics);
    response.getWriter().println("90%: " + statistics.getPercentile(90));
    response.getWriter().println("slope: " + trend.getSlope());
  }
}
