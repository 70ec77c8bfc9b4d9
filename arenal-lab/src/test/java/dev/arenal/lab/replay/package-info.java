/** Tests of the replay, most of them on traces made up by {@link SyntheticTrace}. */
@NullMarked
package dev.arenal.lab.replay;

import org.jspecify.annotations.NullMarked;
