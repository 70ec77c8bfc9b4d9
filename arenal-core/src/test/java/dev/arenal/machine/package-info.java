/** The library in fresh JVMs, on machines that are set up in odd ways. */
@org.jspecify.annotations.NullMarked
package dev.arenal.machine;
