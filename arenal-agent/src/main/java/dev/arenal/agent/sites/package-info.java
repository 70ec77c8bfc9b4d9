/** Call sites of {@code Arena.ofConfined()} in class files, and the shape of each. */
@NullMarked
package dev.arenal.agent.sites;

import org.jspecify.annotations.NullMarked;
