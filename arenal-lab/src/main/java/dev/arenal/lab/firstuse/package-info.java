/** What the first use of a library costs a program, in JVMs that have done nothing before. */
@NullMarked
package dev.arenal.lab.firstuse;

import org.jspecify.annotations.NullMarked;
