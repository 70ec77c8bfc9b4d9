package dev.arenal.corpus.tomcat.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Answers with some objects of the application's model as JSON, by Jackson. */
@WebServlet(urlPatterns = "/catalog", loadOnStartup = 1)
public final class CatalogServlet extends HttpServlet {
  public static final String[] LIBRARIES = {
    "jackson-databind", "jackson-core", "jackson-annotations"
  };
  private static final long serialVersionUID = 1;
  private static final int MOST_OBJECTS = 8;

  private final transient ObjectMapper mapper = new ObjectMapper();
  private transient ObjectWriter writer;
  private transient List<String> model;

  @Override
  public void init() throws ServletException {
    writer = mapper.writerWithDefaultPrettyPrinter();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                getServletContext().getResourceAsStream("/WEB-INF/beans.txt"),
                StandardCharsets.UTF_8))) {
      model = reader.lines().toList();
    } catch (IOException e) {
      throw new ServletException(e);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    Random random = new Random(Integer.parseInt(request.getParameter("seed")));
    ArrayNode answer = mapper.createArrayNode();
    for (int i = 1 + random.nextInt(MOST_OBJECTS); i > 0; i--) {
      answer.add(entry(model.get(random.nextInt(model.size())), random));
    }
    response.setContentType("application/json");
    response.getWriter().println(writer.writeValueAsString(answer));
  }

  /** Makes a bean, gives its properties values, and turns it into a tree. */
  private JsonNode entry(String name, Random random) throws IOException, ServletException {
    try {
      Class<?> type = Class.forName(name, true, getClass().getClassLoader());
      ObjectNode draft = mapper.valueToTree(type.getConstructor().newInstance());
      for (Map.Entry<String, JsonNode> property : List.copyOf(draft.properties())) {
        if (property.getValue().isNumber()) {
          draft.put(property.getKey(), random.nextInt(1000));
        } else if (property.getValue().isNull()) {
          draft.put(property.getKey(), Integer.toString(random.nextInt(), 36));
        }
      }
      Object bean = mapper.treeToValue(draft, type);
      return mapper.createObjectNode().set(type.getSimpleName(), mapper.valueToTree(bean));
    } catch (ReflectiveOperationException e) {
      throw new ServletException(e);
    }
  }
}
