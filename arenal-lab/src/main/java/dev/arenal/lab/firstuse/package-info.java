/** The cost of the first use of a library, in JVMs that have done nothing before. */
@NullMarked
package dev.arenal.lab.firstuse;

import org.jspecify.annotations.NullMarked;
