package dev.arenal.corpus.tomcat.app;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Answers with settings as YAML, written and read again by SnakeYAML. */
@WebServlet(urlPatterns = "/settings", loadOnStartup = 1)
public final class SettingsServlet extends HttpServlet {
  public static final String[] LIBRARIES = {"snakeyaml"};
  private static final long serialVersionUID = 1;
  private static final int DEPTH = 3;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Random random = new Random(Integer.parseInt(request.getParameter("seed")));
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    Yaml yaml = new Yaml(options);
    String text = yaml.dump(branch(random, DEPTH));
    Map<String, Object> settings = yaml.load(text);
    response.setContentType("application/yaml");
    response.getWriter().println("# " + settings.keySet());
    response.getWriter().println(text);
  }

  private static Map<String, Object> branch(Random random, int depth) {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      entries.put("key-" + random.nextInt(100), value(random, depth));
    }
    return entries;
  }

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> random.nextInt(10_000);
      case 1 -> random.nextDouble();
      case 2 -> random.nextBoolean();
      case 3 -> "text: " + random.nextInt(100);
      case 4 -> new ArrayList<>(List.of(value(random, depth - 1), "last"));
      default -> branch(random, depth - 1);
    };
  }
}
