/** Tests of measuring single buffers: plans only; JMH itself runs where it is tested. */
@NullMarked
package dev.arenal.lab.roundtrip;

import org.jspecify.annotations.NullMarked;
