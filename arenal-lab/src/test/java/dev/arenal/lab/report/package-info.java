/** Tests of tables, JSON and the HTML report. */
@NullMarked
package dev.arenal.lab.report;

import org.jspecify.annotations.NullMarked;
