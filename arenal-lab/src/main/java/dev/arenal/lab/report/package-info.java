/**
 * Output of the lab: tables for a terminal, {@code results.json} for programs and one {@code
 * report.html} for people.
 */
@NullMarked
package dev.arenal.lab.report;

import org.jspecify.annotations.NullMarked;
