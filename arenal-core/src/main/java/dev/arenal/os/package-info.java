/** The only package with native calls: reserve, commit, discard, touch, resident size. */
@NullMarked
package dev.arenal.os;

import org.jspecify.annotations.NullMarked;
