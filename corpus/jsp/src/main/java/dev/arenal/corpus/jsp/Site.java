package dev.arenal.corpus.jsp;

import dev.arenal.corpus.jsp.shop.Cart;
import dev.arenal.corpus.jsp.shop.Item;
import dev.arenal.corpus.jsp.shop.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;

/** A version of a webapp as a folder: its pages, tag files, model classes and libraries. */
final class Site {
  static final String STORE = Store.class.getName();
  static final String ITEM = Item.class.getName();
  static final String CART = Cart.class.getName();

  private static final int FEWEST_PAGES = 30;
  private static final int MOST_PAGES = 75;
  private static final FileTime FIRST = FileTime.fromMillis(1_767_225_600_000L);
  private static final long EDIT_MILLIS = 60_000;

  private final int id;
  private final int version;
  private final Path folder;
  private final int[] edits;

  private Site(int id, int version, Path folder, int[] edits) {
    this.id = id;
    this.version = version;
    this.folder = folder;
    this.edits = edits;
  }

  /** The first version of a webapp. */
  static Site first(int id, Path parent, List<Path> libraries) throws IOException {
    int[] edits = new int[new Random(id).nextInt(FEWEST_PAGES, MOST_PAGES)];
    return new Site(id, 1, parent.resolve("site" + id + "-1"), edits).write(libraries);
  }

  /** The next version: some pages differ, the rest is the same. */
  Site next(Random random, List<Path> libraries) throws IOException {
    int[] next = edits.clone();
    for (int i = 0; i < next.length / 5; i++) {
      next[random.nextInt(next.length)]++;
    }
    Path place = folder.resolveSibling("site" + id + "-" + (version + 1));
    return new Site(id, version + 1, place, next).write(libraries);
  }

  String path() {
    return "/site" + id;
  }

  int version() {
    return version;
  }

  Path folder() {
    return folder;
  }

  int pages() {
    return edits.length;
  }

  /** Its author saves a page once more. */
  void edit(int page) throws IOException {
    edits[page]++;
    writePage(page);
  }

  private void writePage(int page) throws IOException {
    String text = Pages.page((id * 1009L + page) * 9176L + edits[page]);
    write("page" + page + ".jsp", text, edits[page]);
  }

  private void write(String name, String text, int edit) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    // By the calendar of the program: two edits within a second of the clock are two edits.
    Files.setLastModifiedTime(file, FileTime.fromMillis(FIRST.toMillis() + edit * EDIT_MILLIS));
  }

  private Site write(List<Path> libraries) throws IOException {
    Path lib = Files.createDirectories(folder.resolve("WEB-INF/lib"));
    for (Path library : libraries) {
      Files.copy(library, lib.resolve(library.getFileName()));
    }
    for (Class<?> type : List.of(Store.class, Item.class, Cart.class)) {
      String name = type.getName().replace('.', '/') + ".class";
      Path file = folder.resolve("WEB-INF/classes").resolve(name);
      Files.createDirectories(file.getParent());
      try (InputStream bytes = type.getResourceAsStream("/" + name)) {
        Files.copy(bytes, file);
      }
    }
    write("WEB-INF/head.jspf", "<html><head><title>${title}</title></head><body>\n", 0);
    write(
        "WEB-INF/foot.jspf", "<p>Site " + id + ", version " + version + "</p></body></html>\n", 0);
    writeTags();
    for (int i = 0; i < Pages.BOXES; i++) {
      write("box" + i + ".jsp", Pages.box(~(id * 31L + i)), 0);
    }
    for (int i = 0; i < edits.length; i++) {
      writePage(i);
    }
    return this;
  }

  private void writeTags() throws IOException {
    String core = "<%@ taglib prefix=\"c\" uri=\"jakarta.tags.core\" %>\n";
    String fmt = "<%@ taglib prefix=\"fmt\" uri=\"jakarta.tags.fmt\" %>\n";
    write(
        "WEB-INF/tags/price.tag",
        fmt
            + "<%@ attribute name=\"value\" required=\"true\" type=\"java.lang.Double\" %>\n"
            + "<b><fmt:formatNumber value=\"${value}\" minFractionDigits=\"2\"/></b>\n",
        0);
    write(
        "WEB-INF/tags/panel.tag",
        core
            + "<%@ attribute name=\"title\" required=\"true\" %>\n"
            + "<div><h4><c:out value=\"${title}\"/></h4><jsp:doBody/></div>\n",
        0);
    write(
        "WEB-INF/tags/pager.tag",
        core
            + "<%@ attribute name=\"pages\" required=\"true\" type=\"java.lang.Integer\" %>\n"
            + "<c:forEach begin=\"1\" end=\"${pages}\" var=\"page\"><a"
            + " href=\"?p=${page}\">${page}</a></c:forEach>\n",
        0);
    write(
        "WEB-INF/tags/field.tag",
        core
            + "<%@ attribute name=\"name\" required=\"true\" %>\n"
            + "<%@ attribute name=\"label\" required=\"true\" %>\n"
            + "<label>${label}<input name=\"${name}\" value=\"<c:out value='${param[name]}'/>\"/>"
            + "</label>\n",
        0);
  }
}
