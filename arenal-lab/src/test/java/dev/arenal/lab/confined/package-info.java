/** Tests of measuring confined arenas: plans, and figures made up here. */
@NullMarked
package dev.arenal.lab.confined;

import org.jspecify.annotations.NullMarked;
