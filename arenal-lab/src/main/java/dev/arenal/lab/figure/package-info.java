/**
 * How figures are shown: a result is made into parts once, and parts are written for a terminal, as
 * HTML and as Markdown.
 */
@NullMarked
package dev.arenal.lab.figure;

import org.jspecify.annotations.NullMarked;
