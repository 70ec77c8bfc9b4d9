/**
 * Concurrency tests (jcstress). Each says what could go wrong; where the hazard would be in a line
 * or two of ours, a broken variant shows that the test would see it.
 *
 * <p>All of them, a few minutes: {@code mvn -Pstress -pl arenal-bench -am -DskipTests verify
 * "-Dstress.args=-m quick -sc false"}. One: {@code "-Dstress.args=-t CloseOnce"}.
 */
@NullMarked
package dev.arenal.bench.stress;

import org.jspecify.annotations.NullMarked;
