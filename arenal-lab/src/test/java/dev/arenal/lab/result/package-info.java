/** Tests of what JMH measures: figures made up here, and JMH for moments. */
@NullMarked
package dev.arenal.lab.result;

import org.jspecify.annotations.NullMarked;
