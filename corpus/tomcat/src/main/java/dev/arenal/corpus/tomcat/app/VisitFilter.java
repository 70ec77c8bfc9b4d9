package dev.arenal.corpus.tomcat.app;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Keeps in the session what a visitor has seen, until it leaves. */
@WebFilter("/*")
public final class VisitFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpSession session = request.getSession();
    Visit visit = (Visit) session.getAttribute("visit");
    if (visit == null) {
      visit = new Visit(new ArrayList<>());
      session.setAttribute("visit", visit);
    }
    visit.paths().add(request.getRequestURI());
    if (request.getServletPath().equals("/leave")) {
      session.invalidate();
      response.setContentType("text/plain");
      response.getWriter().println("Seen: " + visit.paths());
    } else {
      chain.doFilter(request, response);
    }
  }

  /** The paths that a visitor asked for. */
  public record Visit(List<String> paths) implements Serializable {}
}
