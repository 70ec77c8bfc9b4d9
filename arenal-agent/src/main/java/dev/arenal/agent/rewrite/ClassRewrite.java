package dev.arenal.agent.rewrite;

import dev.arenal.agent.sites.Site;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rewrite of one class: the sites that change, and the reasons why others do not. */
final class ClassRewrite {
  /** How a class gets to the agent. */
  enum Way {
    /** Its loader finds the agent. */
    DIRECT,
    /** By methods that it is given. */
    BRIDGE,
    /** It is loaded, so it can be given none. */
    NONE
  }

  private final RewriteRules rules;
  private final byte[] classFile;
  private final List<Site> sites;
  private final Way way;
  private final boolean mustKeepBridges;
  private final List<LeftAlone> reasons = new ArrayList<>();
  private int rewrittenCount;

  ClassRewrite(
      RewriteRules rules, byte[] classFile, List<Site> sites, Way way, boolean mustKeepBridges) {
    this.rules = rules;
    this.classFile = classFile;
    this.sites = sites;
    this.way = way;
    this.mustKeepBridges = mustKeepBridges;
  }

  int rewrittenCount() {
    return rewrittenCount;
  }

  int siteCount() {
    return sites.size();
  }

  /** Why each of the others was left alone. */
  List<LeftAlone> reasons() {
    return reasons;
  }

  /** The changed class file; null if nothing changes. */
  byte @Nullable [] run() {
    try {
      return rewritten();
    } catch (NoRoomException e) {
      rewrittenCount = 0;
      reasons.clear();
      sites.forEach(_ -> reasons.add(LeftAlone.NO_ROOM));
      return null;
    }
  }

  private byte @Nullable [] rewritten() {
    ClassPatch patch = new ClassPatch(classFile, way == Way.BRIDGE);
    for (Site site : sites) {
      Factory factory = rules.factory(site);
      LeftAlone reason = reason(site, factory, patch);
      if (reason == null && factory != null) {
        reason = patch.redirect(site, factory);
      }
      if (reason == null) {
        rewrittenCount++;
      } else {
        reasons.add(reason);
      }
    }
    // A class that has bridges keeps them, though a new version of it may not need them.
    return rewrittenCount > 0 || mustKeepBridges ? patch.finish(rules.factories()) : null;
  }

  private @Nullable LeftAlone reason(Site site, @Nullable Factory factory, ClassPatch patch) {
    if (!rules.covers(site.className())) {
      return LeftAlone.EXCLUDED;
    }
    if (factory == null) {
      return site.isDisturbed() ? LeftAlone.DISTURBED : LeftAlone.SHAPE;
    }
    return switch (way) {
      case DIRECT -> null;
      case NONE -> LeftAlone.LOADED;
      case BRIDGE -> patch.hasDynamicConstants() ? null : LeftAlone.TOO_OLD;
    };
  }
}
