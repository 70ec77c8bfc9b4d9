package dev.arenal.corpus.tomcat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;

/** A version of an application that runs, and its visitors. */
record Release(Kind kind, Context context, Path root, List<Visitor> visitors) {
  Release(Kind kind, Context context, Path root) {
    this(kind, context, root, new ArrayList<>());
  }
}
