package dev.arenal.corpus.builds;

import java.util.List;

/** A tool of a build: where it enters, and the artifacts on its class path. */
enum Tool {
  AUTO_VALUE(
      "com.google.auto.value.processor.AutoValueProcessor",
      List.of("auto-value", "auto-value-annotations")),
  DAGGER(
      "dagger.internal.codegen.ComponentProcessor",
      List.of(
          "dagger-compiler",
          "dagger",
          "dagger-spi",
          "failureaccess",
          "guava",
          "jakarta.inject-api",
          "javapoet",
          "javax.inject",
          "jspecify",
          "kotlin-metadata-jvm",
          "kotlin-reflect",
          "kotlin-stdlib",
          "kotlinpoet",
          "symbol-processing-api")),
  FORMAT(
      "dev.arenal.corpus.builds.worker.Format",
      List.of(
          "builds",
          "commonmark",
          "commonmark-ext-gfm-tables",
          "failureaccess",
          "google-java-format",
          "guava")),
  CHECK_GOOGLE("dev.arenal.corpus.builds.worker.Check$Google", Artifacts.CHECKSTYLE),
  CHECK_SUN("dev.arenal.corpus.builds.worker.Check$Sun", Artifacts.CHECKSTYLE);

  private final String entry;
  private final List<String> artifacts;

  Tool(String entry, List<String> artifacts) {
    this.entry = entry;
    this.artifacts = artifacts;
  }

  String entry() {
    return entry;
  }

  List<String> artifacts() {
    return artifacts;
  }

  /** A list that constants share; it has to be there before them. */
  private static final class Artifacts {
    static final List<String> CHECKSTYLE =
        List.of(
            "builds",
            "checkstyle",
            "antlr4-runtime",
            "commons-beanutils",
            "commons-collections",
            "commons-logging",
            "guava",
            "failureaccess",
            "picocli",
            "reflections",
            "Saxon-HE",
            "slf4j-api",
            "slf4j-simple",
            "xmlresolver");
  }
}
