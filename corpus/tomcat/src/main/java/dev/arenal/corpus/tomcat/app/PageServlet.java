package dev.arenal.corpus.tomcat.app;

import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Answers with a page of posts, made from a FreeMarker template. */
@WebServlet(urlPatterns = "/page", loadOnStartup = 1)
public final class PageServlet extends HttpServlet {
  public static final String[] LIBRARIES = {"freemarker"};
  private static final long serialVersionUID = 1;
  private static final String PAGE =
      """
      <#macro tag name><span class="tag">${name?html}</span></#macro>
      <html><head><title>${title?cap_first}</title></head><body>
      <#list posts as post>
        <h2>${post_index + 1}. ${post.author?upper_case?html}</h2>
        <#if post.likes gt 10><b>${post.likes?string(",##0")} likes</b><#else>new</#if>
        <p>${post.text?html?truncate(80)}</p>
        <#list post.tags?sort as name><@tag name/><#sep>, </#list>
      <#else>
        Nothing here.
      </#list>
      </body></html>
      """;

  private transient Configuration configuration;
  private transient Template template;

  @Override
  public void init() throws ServletException {
    configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setDefaultEncoding("UTF-8");
    try {
      template = new Template("page", PAGE, configuration);
    } catch (IOException e) {
      throw new ServletException(e);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    Random random = new Random(Integer.parseInt(request.getParameter("seed")));
    List<Post> posts = new ArrayList<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      String word = Integer.toString(random.nextInt(1 << 20), 36);
      List<String> tags = List.of(word.substring(word.length() / 2), "t" + random.nextInt(9));
      posts.add(new Post(word, random.nextInt(50), ("<" + word + "> ").repeat(9), tags));
    }
    response.setContentType("text/html");
    try {
      template.process(Map.of("title", "all posts", "posts", posts), response.getWriter());
    } catch (TemplateException e) {
      throw new ServletException(e);
    }
  }

  /** A post on the page. */
  public static final class Post {
    private final String author;
    private final int likes;
    private final String text;
    private final List<String> tags;

    Post(String author, int likes, String text, List<String> tags) {
      this.author = author;
      this.likes = likes;
      this.text = text;
      this.tags = tags;
    }

    public String getAuthor() {
      return author;
    }

    public int getLikes() {
      return likes;
    }

    public String getText() {
      return text;
    }

    public List<String> getTags() {
      return tags;
    }
  }
}
