package dev.arenal.corpus.felix.app;

import java.util.Map;
import java.util.function.IntFunction;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.builder.ToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;
import org.apache.commons.text.CaseUtils;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.commons.text.StringSubstitutor;
import org.apache.commons.text.WordUtils;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** A feature of a tenant: letters from templates. */
public final class Letters implements IntFunction<String> {
  @Override
  public String apply(int request) {
    Map<String, Object> values = Map.of("name", "client " + request, "due", request % 28 + 1);
    String letter =
        new StringSubstitutor(values)
            .replace("Dear ${name}, your bill <${due}> of ${month:-May} is & stays open.");
    return switch (request % 5) {
      case 0 -> StringEscapeUtils.escapeHtml4(letter);
      case 1 -> WordUtils.wrap(letter, 20);
      case 2 -> CaseUtils.toCamelCase(letter, false, ' ', ',');
      case 3 -> "" + new LevenshteinDistance().apply(letter, StringUtils.reverse(letter));
      default ->
          new ToStringBuilder(this, ToStringStyle.JSON_STYLE)
              .append("letter", StringUtils.abbreviate(letter, 30))
              .append("request", request)
              .toString();
    };
  }
}
