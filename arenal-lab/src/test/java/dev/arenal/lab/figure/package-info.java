/** Tests of tables, JSON and the HTML report. */
@NullMarked
package dev.arenal.lab.figure;

import org.jspecify.annotations.NullMarked;
