/** Tests of measuring confined arenas: figures made up here, and JMH for moments. */
@NullMarked
package dev.arenal.lab.confined;

import org.jspecify.annotations.NullMarked;
