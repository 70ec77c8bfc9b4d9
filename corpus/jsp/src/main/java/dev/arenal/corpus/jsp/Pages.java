package dev.arenal.corpus.jsp;

import java.util.List;
import java.util.Random;

/**
 * Writes the pages of webapps: lists, items, forms, boards, reports, carts and plain text, with
 * JSTL, tag files, expressions and scriptlets. The same seed gives the same text; most pages are
 * short and a few are long.
 */
final class Pages {
  /** The number of boxes that every webapp has, for its pages to include. */
  static final int BOXES = 6;

  private static final List<String> COLUMNS =
      List.of("id", "name", "category", "price", "stock", "added", "tags");
  private static final List<String> WORDS =
      List.of(
          "order", "ship", "paper", "garden", "refund", "week", "price", "letter", "branch", "open",
          "local", "season", "music", "tool", "lamp", "friend", "offer", "number");

  private final Random random;
  private final StringBuilder text = new StringBuilder();

  private Pages(long seed) {
    random = new Random(seed);
  }

  /** A page that visitors ask for. */
  static String page(long seed) {
    Pages page = new Pages(seed);
    page.head();
    int size = 1 + (page.one(4) ? page.random.nextInt(5, 16) : page.random.nextInt(5));
    switch (page.random.nextInt(7)) {
      case 0 -> page.list(size);
      case 1 -> page.item(size);
      case 2 -> page.form(size);
      case 3 -> page.board(size);
      case 4 -> page.report(size);
      case 5 -> page.cart(size);
      default -> page.plain(size);
    }
    page.line("<%%@ include file=\"/WEB-INF/foot.jspf\" %%>");
    return page.text.toString();
  }

  /** A part of many pages that is a page of its own. */
  static String box(long seed) {
    Pages page = new Pages(seed);
    page.line("<%%@ page contentType=\"text/html;charset=UTF-8\" %%>");
    page.line("<%%@ taglib prefix=\"c\" uri=\"jakarta.tags.core\" %%>");
    page.line("<ul class=\"box\">");
    for (int i = 0; i < page.random.nextInt(1, 6); i++) {
      page.line("<c:if test=\"${%s}\"><li>%s</li></c:if>", page.test("param"), page.words(6));
    }
    page.line("</ul>");
    return page.text.toString();
  }

  private void line(String format, Object... args) {
    text.append(String.format(format, args)).append('\n');
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private <T> T oneOf(List<T> things) {
    return things.get(random.nextInt(things.size()));
  }

  private String words(int most) {
    StringBuilder words = new StringBuilder(oneOf(WORDS));
    for (int i = random.nextInt(most); i > 0; i--) {
      words.append(' ').append(oneOf(WORDS));
    }
    return words.toString();
  }

  /** An expression that is true or false, on an item or on what the visitor gave. */
  private String test(String of) {
    if (of.equals("param")) {
      return switch (random.nextInt(3)) {
        case 0 -> "param.id > " + random.nextInt(90);
        case 1 -> "empty param." + oneOf(WORDS);
        default -> "param.q eq '" + oneOf(WORDS) + "' or not empty param.id";
      };
    }
    return switch (random.nextInt(5)) {
      case 0 -> of + ".price > " + random.nextInt(150);
      case 1 -> of + ".stock le " + random.nextInt(40);
      case 2 -> of + ".category eq 'books' and " + of + ".stock > 0";
      case 3 -> "fn:contains(" + of + ".name, '" + random.nextInt(10) + "')";
      default -> "fn:length(" + of + ".tags) > " + random.nextInt(3);
    };
  }

  private void head() {
    line("<%%@ page contentType=\"text/html;charset=UTF-8\" import=\"java.util.*\" %%>");
    line("<%%@ taglib prefix=\"c\" uri=\"jakarta.tags.core\" %%>");
    line("<%%@ taglib prefix=\"fmt\" uri=\"jakarta.tags.fmt\" %%>");
    line("<%%@ taglib prefix=\"fn\" uri=\"jakarta.tags.functions\" %%>");
    line("<%%@ taglib prefix=\"t\" tagdir=\"/WEB-INF/tags\" %%>");
    line("<c:set var=\"title\" value=\"%s\"/>", words(4));
    line("<%%@ include file=\"/WEB-INF/head.jspf\" %%>");
    line("<jsp:useBean id=\"store\" scope=\"application\" class=\"%s\"/>", Site.STORE);
  }

  private void list(int size) {
    line(
        "<table><c:forEach items=\"${store.items}\" var=\"item\" varStatus=\"row\" begin=\"%d\">",
        random.nextInt(20));
    line("<tr class=\"${row.index %% 2 == 0 ? 'even' : 'odd'}\">");
    for (int i = 0; i < size; i++) {
      column(oneOf(COLUMNS));
    }
    line("</tr></c:forEach></table>");
    line("<t:pager pages=\"%d\"/>", random.nextInt(2, 9));
  }

  private void column(String name) {
    switch (name) {
      case "price" -> line("<td><t:price value=\"${item.price}\"/></td>");
      case "added" ->
          line(
              "<td><fmt:formatDate value=\"${item.added}\" pattern=\"%s\"/></td>",
              one(2) ? "yyyy-MM-dd" : "d. MMM yyyy");
      case "stock" -> {
        line("<td><c:choose><c:when test=\"${%s}\">%s</c:when>", test("item"), words(2));
        line("<c:otherwise><c:out value=\"${item.stock}\"/></c:otherwise></c:choose></td>");
      }
      case "tags" ->
          line("<td><c:forEach items=\"${item.tags}\" var=\"tag\">${tag} </c:forEach></td>");
      default -> line("<td><c:out value=\"${item.%s}\"/></td>", name);
    }
  }

  private void item(int size) {
    line("<c:set var=\"item\" value=\"${store.item(param.id)}\"/>");
    line("<h1>${fn:escapeXml(item.name)}</h1><p><t:price value=\"${item.price}\"/></p>");
    for (int i = 0; i < size; i++) {
      line("<t:panel title=\"%s\">", words(3));
      line("<c:if test=\"${%s}\"><p>%s</p></c:if>", test("item"), words(20));
      line("</t:panel>");
    }
    box();
  }

  private void form(int size) {
    line("<form method=\"post\" action=\"<c:url value='/%s'/>\">", oneOf(WORDS));
    for (int i = 0; i < size; i++) {
      line("<t:field name=\"%s%d\" label=\"%s\"/>", oneOf(WORDS), i, words(3));
      if (one(3)) {
        line("<select name=\"s%d\"><c:forEach items=\"${store.groups}\" var=\"group\">", i);
        line("<option ${group.key eq param.s%d ? 'selected' : ''}>${group.key}</option>", i);
        line("</c:forEach></select>");
      }
      if (one(3)) {
        line("<c:if test=\"${%s}\"><em>%s</em></c:if>", test("param"), words(8));
      }
    }
    line("</form>");
  }

  private void board(int size) {
    for (int i = 0; i < size; i++) {
      line("<%%! private double part%d(List<%s> items) {", i, Site.ITEM);
      line("  double sum = %d;", random.nextInt(9));
      line("  for (%s item : items) {", Site.ITEM);
      line(
          "    if (item.getStock() > %d) { sum += item.getPrice() * %d; }",
          random.nextInt(40), random.nextInt(1, 9));
      line("  }");
      line("  return sum;");
      line("} %%>");
    }
    line("<%% Map<String, Double> parts = new TreeMap<>();");
    for (int i = 0; i < size; i++) {
      line("parts.put(\"%s\", part%d(store.getItems()));", words(2), i);
    }
    line("for (Map.Entry<String, Double> part : parts.entrySet()) { %%>");
    line("<dt><%%= part.getKey() %%></dt><dd><%%= String.valueOf(part.getValue()) %%></dd>");
    line("<%% } %%>");
    box();
  }

  private void report(int size) {
    for (int i = 0; i < size; i++) {
      line("<h2>%s</h2>", words(4));
      line(
          "<c:forEach items=\"${store.groups}\""
              + " var=\"group\"><h3>${fn:toUpperCase(group.key)}</h3>");
      line(
          "<c:set var=\"sum\" value=\"${group.value.stream().filter(i -> i.stock > %d)"
              + ".map(i -> i.price * %d).sum()}\"/>",
          random.nextInt(40), random.nextInt(1, 5));
      line("<fmt:formatNumber value=\"${sum}\" minFractionDigits=\"%d\"/>", random.nextInt(3));
      if (one(2)) {
        line(
            "<c:forEach items=\"${group.value}\" var=\"item\"><c:if test=\"${%s}\">%s: ${item.name}"
                + "</c:if></c:forEach>",
            test("item"), words(3));
      }
      line("</c:forEach>");
    }
  }

  private void cart(int size) {
    line("<jsp:useBean id=\"cart\" scope=\"session\" class=\"%s\"/>", Site.CART);
    line("<c:if test=\"${not empty param.id}\">${cart.add(store.item(param.id))}</c:if>");
    line("<c:catch var=\"problem\"><c:forEach items=\"${cart.amounts}\" var=\"amount\">");
    line(
        "<li>${amount.key}: <fmt:formatNumber"
            + " value=\"${amount.value}\"/></li></c:forEach></c:catch>");
    line("<c:if test=\"${problem != null}\">%s</c:if>", words(3));
    for (int i = 0; i < size; i++) {
      line(
          "<c:choose><c:when test=\"${cart.size > %d}\">%s</c:when><c:when"
              + " test=\"${%s}\">%s</c:when></c:choose>",
          random.nextInt(9), words(9), test("param"), words(9));
    }
    box();
  }

  private void plain(int size) {
    for (int i = 0; i < 2 * size; i++) {
      line("<p>%s.</p>", words(40));
    }
    line("<p>${pageContext.request.contextPath} ${title}</p>");
  }

  private void box() {
    line("<jsp:include page=\"box%d.jsp\"/>", random.nextInt(BOXES));
  }
}
