/** Tests of the tables, and that the committed ones are what the committed results say. */
@NullMarked
package dev.arenal.bench.tables;

import org.jspecify.annotations.NullMarked;
