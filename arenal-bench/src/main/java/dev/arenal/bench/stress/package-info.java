/**
 * Concurrency tests (jcstress). Each says what could go wrong; where the hazard would be in a line
 * or two of ours, a broken variant shows that the test would see it.
 *
 * <p>They drive the classes of the library. Those that are not public are driven from their own
 * packages, {@code dev.arenal.page}, {@code dev.arenal.page.span} and {@code dev.arenal.confined},
 * of which this module has a part as well: jcstress runs on the class path, where a package may
 * come from two places. What remains a model says why.
 *
 * <p>All of them, a few minutes: {@code mvn -Pstress -pl arenal-bench -am -DskipTests verify
 * "-Dstress.args=-m quick -sc false"}. One: {@code "-Dstress.args=-t CloseOnce"}.
 */
@NullMarked
package dev.arenal.bench.stress;

import org.jspecify.annotations.NullMarked;
