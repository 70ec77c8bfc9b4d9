package dev.arenal.lab.firstuse;

import dev.arenal.lab.process.ChildFailedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where subjects run: in JVMs of this machine, or in a test's imagination. */
interface FirstUseBench {
  /** Makes the AOT cache for the runs that follow; returns why there is none, or null. */
  @Nullable String makeAotCache() throws IOException, InterruptedException;

  /** Runs a variant once, in a JVM of its own. */
  FirstUseSample run(FirstUsePlan.Variant variant)
      throws IOException, InterruptedException, ChildFailedException;
}
