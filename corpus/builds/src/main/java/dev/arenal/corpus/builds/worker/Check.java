package dev.arenal.corpus.builds.worker;

import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import com.puppycrawl.tools.checkstyle.api.CheckstyleException;
import com.puppycrawl.tools.checkstyle.api.Configuration;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.ToIntFunction;

/** Checks sources by Checkstyle; each loader of Checkstyle has its own copy of this. */
public abstract class Check implements ToIntFunction<List<Path>> {
  private final String rules;

  private Check(String rules) {
    this.rules = rules;
  }

  /** Checks by the rules of Google. */
  public static final class Google extends Check {
    public Google() {
      super("/google_checks.xml");
    }
  }

  /** Checks by the rules of Sun. */
  public static final class Sun extends Check {
    public Sun() {
      super("/sun_checks.xml");
    }
  }

  @Override
  public int applyAsInt(List<Path> sources) {
    Count count = new Count();
    Checker checker = new Checker();
    try {
      Configuration configuration =
          ConfigurationLoader.loadConfiguration(rules, new PropertiesExpander(new Properties()));
      checker.setModuleClassLoader(Check.class.getClassLoader());
      checker.configure(configuration);
      checker.addListener(count);
      List<File> files = sources.stream().map(Path::toFile).toList();
      checker.process(files);
    } catch (CheckstyleException e) {
      throw new IllegalStateException(e);
    } finally {
      checker.destroy();
    }
    return count.events;
  }

  /** Counts findings; a real build writes a report of them. */
  private static final class Count implements AuditListener {
    int events;

    @Override
    public void addError(AuditEvent event) {
      events += event.getMessage().isEmpty() ? 0 : 1;
    }

    @Override
    public void addException(AuditEvent event, Throwable throwable) {
      throw new IllegalStateException(event.getFileName(), throwable);
    }

    @Override
    public void auditStarted(AuditEvent event) {}

    @Override
    public void auditFinished(AuditEvent event) {}

    @Override
    public void fileStarted(AuditEvent event) {}

    @Override
    public void fileFinished(AuditEvent event) {}
  }
}
