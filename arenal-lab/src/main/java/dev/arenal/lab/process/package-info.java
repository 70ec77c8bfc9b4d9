/**
 * Work in processes of its own: JVMs of this code that get a record and give one back, other
 * programs of the machine, and variants that take turns.
 *
 * <pre>
 *   Rounds -> Child -- Work as JSON --> ChildMain -> Work.run()
 *                  <-- its result as JSON --
 * </pre>
 */
@NullMarked
package dev.arenal.lab.process;

import org.jspecify.annotations.NullMarked;
