/** All that programs may call, called where it is hardest. */
@NullMarked
package dev.arenal.edges;

import org.jspecify.annotations.NullMarked;
