package dev.arenal.corpus.lambdas;

import dev.arenal.corpus.common.Popularity;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/** Keeps the plugins in demand running, and replaces one by a new version at times. */
final class PluginHost {
  /** Plugins that run at night. */
  static final int FEWEST = 6;

  private static final int PLUGINS = 70;
  private static final int MOST_RUNNING = 28;
  private static final int REQUESTS_A_DEPLOYMENT = 120;
  private static final int REQUESTS_OF_DRAINING = 150;

  private final SourceCompiler compiler;
  private final Map<Integer, Integer> versions = new HashMap<>();
  private final Map<Integer, Compiled> store = new HashMap<>();
  private final Lru<Integer, Plugin> running = new Lru<>(MOST_RUNNING);
  private final Queue<Draining> draining = new ArrayDeque<>();
  private Popularity popularity;

  PluginHost(SourceCompiler compiler) {
    this.compiler = compiler;
  }

  void newDay(int day) {
    popularity = new Popularity(PLUGINS, 1.0, day);
  }

  /** Answers a request by the plugin that it is for, and deploys a new version when one is due. */
  void serve(int request) {
    int number = popularity.next();
    running.get(number, this::start).answer(request);
    if (request % REQUESTS_A_DEPLOYMENT == REQUESTS_A_DEPLOYMENT - 1) {
      deploy(number, request);
    }
    drain(request);
  }

  /** Stops plugins until so many are left. */
  void keep(int count) {
    running.keep(count);
    draining.clear();
    if (count == 0) {
      store.clear();
    }
  }

  /** The old version has requests to finish while the new one takes those that come. */
  private void deploy(int number, int request) {
    Plugin old = running.remove(number);
    draining.add(new Draining(old, request + REQUESTS_OF_DRAINING));
    versions.merge(number, 1, Integer::sum);
    store.remove(number);
    running.get(number, this::start).answer(request);
  }

  private void drain(int request) {
    while (!draining.isEmpty() && draining.peek().until < request) {
      draining.remove();
    }
    for (Draining one : draining) {
      if (request % 16 == 0) {
        one.plugin.answer(request);
      }
    }
  }

  private Plugin start(int number) {
    Compiled compiled = store.computeIfAbsent(number, this::compile);
    return new Plugin(compiled.packageName, compiled.classes);
  }

  private Compiled compile(int number) {
    PluginSource source = new PluginSource(number, versions.getOrDefault(number, 0));
    return new Compiled(
        source.packageName(), new LinkedHashMap<>(compiler.compile(source.classes())));
  }

  /** A plugin's class files, kept while its version is the current one. */
  private record Compiled(String packageName, Map<String, byte[]> classes) {}

  /** An old version, and the request after which it has nothing left to do. */
  private record Draining(Plugin plugin, int until) {}
}
