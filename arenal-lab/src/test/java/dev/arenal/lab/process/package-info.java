/** Tests of work in processes of its own. */
@NullMarked
package dev.arenal.lab.process;

import org.jspecify.annotations.NullMarked;
