/** Programs worth recording or starting: they load and release classes, or nothing but start. */
@NullMarked
package dev.arenal.workload;

import org.jspecify.annotations.NullMarked;
