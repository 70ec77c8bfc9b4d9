/** Programs worth recording: they load and release classes in known patterns. */
@NullMarked
package dev.arenal.workload;

import org.jspecify.annotations.NullMarked;
