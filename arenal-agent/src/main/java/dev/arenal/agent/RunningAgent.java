package dev.arenal.agent;

import dev.arenal.agent.histogram.ArenaCounts;
import dev.arenal.agent.histogram.CountedArena;
import dev.arenal.agent.histogram.HistogramFile;
import dev.arenal.agent.histogram.RunFacts;
import dev.arenal.agent.netty.NettyTransformer;
import dev.arenal.agent.rewrite.FirstConstants;
import dev.arenal.agent.rewrite.FirstRewrite;
import dev.arenal.agent.rewrite.LoadedClasses;
import dev.arenal.agent.rewrite.NamePatterns;
import dev.arenal.agent.rewrite.RewriteLog;
import dev.arenal.agent.rewrite.RewriteRules;
import dev.arenal.agent.rewrite.SiteTransformer;
import dev.arenal.agent.runtime.AgentOutput;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The agent of this JVM, from its start on. */
final class RunningAgent {
  private static @Nullable RunningAgent running;

  private final AgentOptions options;
  private final RewriteLog log;
  private final @Nullable HistogramFile histogram;
  private final RunFacts facts;

  /** Set by the thread that starts the agent, and read by the one that ends the program. */
  private volatile @Nullable NettyTransformer netty;

  private RunningAgent(AgentOptions options, @Nullable HistogramFile histogram, boolean isPooling) {
    this.options = options;
    this.log = new RewriteLog(options.isVerbose());
    this.histogram = histogram;
    String pooledSites = options.isEverySite() ? "all" : "try-with-resources";
    this.facts = RunFacts.ofThisJvm(isPooling ? pooledSites : "none");
  }

  /** Starts it, or has a running one write its figures. */
  static synchronized void start(@Nullable String text, Instrumentation instrumentation)
      throws Throwable {
    AgentOptions options;
    try {
      options = AgentOptions.parse(text);
    } catch (IllegalArgumentException e) {
      AgentOutput.line(e.getMessage() + "; the program runs as without the agent");
      return;
    }
    if (options.isDump()) {
      dump(running);
    } else if (running != null) {
      AgentOutput.line(
          "the agent is already running, so these options have no effect: options="
              + (text == null ? "" : text)
              + " (use dump to write the histogram now)");
    } else {
      begin(options, instrumentation);
    }
  }

  private static void begin(AgentOptions options, Instrumentation instrumentation)
      throws Throwable {
    boolean needsNativeAccess = !options.isNoSite() || options.nettyDelay() != null;
    String refusal = needsNativeAccess ? NativeAccess.refusal() : null;
    if (refusal != null) {
      AgentOutput.line(refusal);
    }
    HistogramFile histogram = histogramFile(options.histogram());
    boolean hasNativeAccess = refusal == null;
    boolean isPooling = hasNativeAccess && !options.isNoSite();
    RunningAgent agent = new RunningAgent(options, histogram, isPooling);
    RewriteRules rules =
        new RewriteRules(
            isPooling,
            options.isEverySite(),
            histogram != null,
            new NamePatterns(options.include()),
            new NamePatterns(options.exclude()));
    // First the steps that may fail, then those that change the program.
    if (histogram != null) {
      CountedArena.prepare();
    }
    if (histogram != null || (hasNativeAccess && needsNativeAccess)) {
      FirstRewrite.make();
      FirstConstants.compute(options.nettyDelay() != null);
    }
    if (histogram != null || options.hasSummary()) {
      Runtime.getRuntime().addShutdownHook(new Thread(agent::end, "arenal-agent"));
    }
    running = agent;
    if (isPooling || histogram != null) {
      agent.transform(rules, instrumentation);
    }
    Duration nettyDelay = options.nettyDelay();
    if (nettyDelay != null) {
      agent.startNetty(nettyDelay, hasNativeAccess, instrumentation);
    }
  }

  private void startNetty(
      Duration delay, boolean hasNativeAccess, Instrumentation instrumentation) {
    if (!hasNativeAccess) {
      AgentOutput.line("netty: left alone: reason=see the line above");
      return;
    }
    try {
      netty = NettyTransformer.start(instrumentation, new NamePatterns(options.exclude()), delay);
    } catch (Throwable e) {
      AgentOutput.line("netty: left alone: reason=" + e);
    }
  }

  private static @Nullable HistogramFile histogramFile(@Nullable String name) {
    if (name == null) {
      return null;
    }
    try {
      return HistogramFile.named(name);
    } catch (IOException | IllegalArgumentException e) {
      AgentOutput.line(
          "the histogram cannot be written, so none is recorded: file="
              + name
              + ", reason="
              + e.getMessage()
              + " (expected a file in a folder that can be written to)");
      return null;
    }
  }

  private void transform(RewriteRules rules, Instrumentation instrumentation) {
    SiteTransformer transformer = new SiteTransformer(rules, log);
    boolean canRetransform = instrumentation.isRetransformClassesSupported();
    instrumentation.addTransformer(transformer, canRetransform);
    if (canRetransform) {
      try {
        new LoadedClasses(instrumentation, transformer).rewrite();
      } catch (Throwable e) {
        AgentOutput.line("classes that were loaded before are left alone: reason=" + e);
      }
    }
  }

  private static void dump(@Nullable RunningAgent agent) {
    if (agent == null || agent.histogram == null) {
      AgentOutput.line(
          "no histogram is recorded: option=dump (start the program with the agent and"
              + " histogram=FILE)");
    } else {
      agent.writeHistogram();
    }
  }

  private void end() {
    try {
      if (histogram != null) {
        writeHistogram();
      }
    } finally {
      if (options.hasSummary()) {
        AgentOutput.line(log.summary());
        NettyTransformer transformer = netty;
        if (transformer != null) {
          AgentOutput.line(transformer.summary());
        }
      }
    }
  }

  private void writeHistogram() {
    HistogramFile file = histogram;
    if (file == null) {
      return;
    }
    try {
      file.write(ArenaCounts.snapshot(), facts);
    } catch (Throwable e) {
      AgentOutput.line("the histogram could not be written: file=" + file.json() + ", reason=" + e);
    }
  }
}
