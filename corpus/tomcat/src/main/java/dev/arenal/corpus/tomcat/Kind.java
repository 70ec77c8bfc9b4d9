package dev.arenal.corpus.tomcat;

import dev.arenal.corpus.tomcat.app.CalendarServlet;
import dev.arenal.corpus.tomcat.app.CatalogServlet;
import dev.arenal.corpus.tomcat.app.MessageServlet;
import dev.arenal.corpus.tomcat.app.PageServlet;
import dev.arenal.corpus.tomcat.app.SearchServlet;
import dev.arenal.corpus.tomcat.app.SettingsServlet;
import dev.arenal.corpus.tomcat.app.TableServlet;
import dev.arenal.corpus.tomcat.app.TextServlet;
import java.util.List;
import java.util.Locale;

/**
 * The web applications of the server: each has servlets of its own, a model of some beans, and in
 * WEB-INF/lib just the libraries that these servlets need.
 */
enum Kind {
  SHOP(60, CatalogServlet.class, SearchServlet.class, TextServlet.class),
  FORUM(30, PageServlet.class, MessageServlet.class, TextServlet.class, CalendarServlet.class),
  WAREHOUSE(90, CatalogServlet.class, TableServlet.class, SettingsServlet.class),
  GATEWAY(12, MessageServlet.class, SearchServlet.class),
  BLOG(8, PageServlet.class, TextServlet.class),
  OFFICE(45, CalendarServlet.class, CatalogServlet.class),
  CONSOLE(5, SettingsServlet.class, MessageServlet.class);

  /** The number of beans in the model of the first version. */
  final int beans;

  final List<Class<?>> servlets;

  Kind(int beans, Class<?>... servlets) {
    this.beans = beans;
    this.servlets = List.of(servlets);
  }

  /** The path below which the server has the application. */
  String path() {
    return "/" + name().toLowerCase(Locale.ROOT);
  }
}
