package dev.arenal.corpus.tomcat.app;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonSerializer;
import com.google.gson.reflect.TypeToken;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Answers with messages as JSON, written and read again by Gson. */
@WebServlet(urlPatterns = "/message", loadOnStartup = 1)
public final class MessageServlet extends HttpServlet {
  public static final String[] LIBRARIES = {"gson"};
  private static final long serialVersionUID = 1;

  private final transient Gson gson =
      new GsonBuilder()
          .setPrettyPrinting()
          .registerTypeAdapter(
              Urgency.class,
              (JsonSerializer<Urgency>)
                  (urgency, type, context) -> context.serialize("urgency " + urgency.name()))
          .create();

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Random random = new Random(Integer.parseInt(request.getParameter("seed")));
    List<Message> messages = new ArrayList<>();
    for (int i = 1 + random.nextInt(10); i > 0; i--) {
      Urgency urgency = Urgency.values()[random.nextInt(Urgency.values().length)];
      messages.add(new Message(i, "no. " + random.nextInt(), urgency, random.nextDouble()));
    }
    String text = gson.toJson(messages);
    List<?> again =
        gson.fromJson(text, TypeToken.getParameterized(List.class, Map.class).getType());
    response.setContentType("application/json");
    response.getWriter().println(text);
    response.getWriter().println(again.getFirst());
  }

  /** The haste that a message asks for. */
  public enum Urgency {
    LOW,
    NORMAL,
    HIGH
  }

  /** One message. */
  public record Message(int id, String subject, Urgency urgency, double score) {}
}
