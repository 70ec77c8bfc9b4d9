package dev.arenal.lab.scan;

import java.nio.file.Path;

/**
 * Something to scan.
 *
 * @param name what it is called in the results: as the user wrote it, or its coordinates
 * @param path where it is now
 */
public record Target(String name, Path path) {}
