/** Tests of recording: the grammar of the log, the command line, and whole programs. */
@NullMarked
package dev.arenal.lab.record;

import org.jspecify.annotations.NullMarked;
