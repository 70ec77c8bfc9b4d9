package dev.arenal.corpus.felix.app;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** A feature of a tenant: its settings, read and written by Gson. */
public final class Settings implements IntFunction<String> {
  private final Gson gson = new GsonBuilder().setPrettyPrinting().serializeNulls().create();

  /** The looks of a page. */
  static final class Theme {
    String colour = "blue";
    int size = 12;
    List<String> fonts = List.of("serif", "sans");
  }

  /** A tenant's settings. */
  static final class Site {
    String title;
    boolean open;
    Theme theme = new Theme();
    Map<String, Integer> limits = Map.of("visitors", 100);
  }

  @Override
  public String apply(int request) {
    Site site = new Site();
    site.title = "Site " + request;
    site.open = request % 2 == 0;
    String text = gson.toJson(site);
    if (request % 4 == 1) {
      JsonObject tree = JsonParser.parseString(text).getAsJsonObject();
      tree.addProperty("visits", request);
      return gson.toJson(tree);
    }
    if (request % 4 == 2) {
      Map<String, Object> map = gson.fromJson(text, new TypeToken<Map<String, Object>>() {});
      return map.keySet().toString();
    }
    return gson.fromJson(text, Site.class).theme.colour;
  }
}
