package dev.arenal.corpus.felix;

import java.util.List;

/** A part that a tenant's bundle may have: a class of ours, and the libraries that it needs. */
enum Feature {
  CATALOGUE(
      "Catalogue",
      List.of("jackson-annotations", "jackson-core", "jackson-databind"),
      "com.fasterxml.jackson.core",
      "com.fasterxml.jackson.databind",
      "com.fasterxml.jackson.databind.node"),
  SETTINGS("Settings", List.of("gson"), "com.google.gson", "com.google.gson.reflect"),
  RULES(
      "Rules",
      List.of("snakeyaml"),
      "org.yaml.snakeyaml",
      "org.yaml.snakeyaml.constructor",
      "org.yaml.snakeyaml.nodes"),
  PRICING("Pricing", List.of("commons-jexl3", "commons-logging"), "org.apache.commons.jexl3"),
  VISITS(
      "Visits",
      List.of("guava", "failureaccess"),
      "com.google.common.base",
      "com.google.common.cache",
      "com.google.common.collect",
      "com.google.common.hash",
      "com.google.common.math"),
  LETTERS(
      "Letters",
      List.of("commons-text", "commons-lang3"),
      "org.apache.commons.lang3",
      "org.apache.commons.lang3.builder",
      "org.apache.commons.text",
      "org.apache.commons.text.similarity"),
  REPORT("Report", List.of("commons-csv", "commons-io", "commons-codec"), "org.apache.commons.csv"),
  STOCK(
      "Stock",
      List.of("commons-collections4"),
      "org.apache.commons.collections4",
      "org.apache.commons.collections4.bag",
      "org.apache.commons.collections4.bidimap",
      "org.apache.commons.collections4.map",
      "org.apache.commons.collections4.trie");

  /** The package of ours that a bundle gets a copy of. */
  static final String OURS = "dev.arenal.corpus.felix.app";

  private final String simpleName;
  private final List<String> libraries;
  private final List<String> packages;

  Feature(String simpleName, List<String> libraries, String... packages) {
    this.simpleName = simpleName;
    this.libraries = libraries;
    this.packages = List.of(packages);
  }

  String simpleName() {
    return simpleName;
  }

  String className() {
    return OURS + '.' + simpleName;
  }

  /** The artifacts that a bundle with copies of its own embeds. */
  List<String> libraries() {
    return libraries;
  }

  /** The packages that a bundle without copies of its own imports. */
  List<String> packages() {
    return packages;
  }
}
