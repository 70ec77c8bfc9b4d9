package dev.arenal.memory;

/**
 * Stands here only because an exported package must not be empty; the first real type takes over.
 */
final class MemoryPlaceholder {
  private MemoryPlaceholder() {}
}
