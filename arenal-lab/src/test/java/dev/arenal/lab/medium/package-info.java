/** Tests of the runs with medium pages, of their figures and of what is claimed of them. */
@NullMarked
package dev.arenal.lab.medium;

import org.jspecify.annotations.NullMarked;
