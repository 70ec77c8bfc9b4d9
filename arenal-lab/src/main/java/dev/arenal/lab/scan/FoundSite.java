package dev.arenal.lab.scan;

import dev.arenal.agent.sites.Site;

/**
 * A site and the file it is in.
 *
 * @param entry the path of the class file inside the artifact; {@code !/} leads into a jar in a jar
 */
public record FoundSite(Site site, String entry) {
  private static final String SUFFIX = ".class";

  /**
   * What stands before the class in its entry: a version of a multi-release jar, a jar in a jar.
   */
  String place() {
    String usual = site.className().replace('.', '/') + SUFFIX;
    return entry.endsWith(usual) ? entry.substring(0, entry.length() - usual.length()) : entry;
  }
}
