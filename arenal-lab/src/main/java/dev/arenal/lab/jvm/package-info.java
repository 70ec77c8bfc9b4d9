/**
 * Real JVMs under the interleaved loaders: which there are, how one is run and sampled, and what
 * its own report says of the memory it keeps.
 *
 * <pre>
 *   JvmFinder, JvmArgument, StockJvm -> JvmSpec          (which JVM, which flags)
 *   JvmLab -> JvmRun -> RunRecord                        (one child after another)
 *   MetaspaceReport -> Valley                            (what jcmd VM.metaspace says)
 * </pre>
 */
@NullMarked
package dev.arenal.lab.jvm;

import org.jspecify.annotations.NullMarked;
