package dev.arenal.corpus.felix.app;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/** A feature of a tenant: sales as comma-separated values. */
public final class Report implements IntFunction<String> {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setHeader("day", "place", "sum").setSkipHeaderRecord(true).get();

  @Override
  public String apply(int request) {
    try {
      List<CSVRecord> records;
      try (CSVParser parser = CSVParser.parse(new StringReader(sales(request % 9 + 2)), FORMAT)) {
        records = parser.getRecords();
      }
      return records.stream()
          .collect(
              Collectors.groupingBy(
                  row -> row.get("place"),
                  TreeMap::new,
                  Collectors.summingInt(row -> Integer.parseInt(row.get("sum")))))
          .toString();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sales(int days) throws IOException {
    StringBuilder text = new StringBuilder("day,place,sum\r\n");
    try (CSVPrinter printer = new CSVPrinter(text, CSVFormat.RFC4180)) {
      for (int day = 0; day < days; day++) {
        printer.printRecord(day, day % 2 == 0 ? "North, upper" : "South", day * 10);
      }
    }
    return text.toString();
  }
}
