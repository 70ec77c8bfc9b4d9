/** Rules for the shape of the code: layers, the one door to the system, the public face. */
@NullMarked
package dev.arenal.arch;

import org.jspecify.annotations.NullMarked;
