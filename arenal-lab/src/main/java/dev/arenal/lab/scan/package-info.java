/**
 * Call sites of {@code Arena.ofConfined()} in what people have lying about: class files, jars, jars
 * in jars, folders, and artifacts by their coordinates.
 *
 * <pre>
 *   Coordinates, Maven -> Target -> ArtifactScanner -> ArtifactScan -> ScanText
 * </pre>
 */
@NullMarked
package dev.arenal.lab.scan;

import org.jspecify.annotations.NullMarked;
