/**
 * Arrow's buffers in Arenal's pages: an {@code AllocationManager} whose memory goes back to the
 * operating system when a burst is over.
 *
 * <p>Needs {@code --enable-native-access=dev.arenal}.
 */
module dev.arenal.arrow {
  requires transitive dev.arenal;
  requires transitive org.apache.arrow.memory.core;
  requires static org.jspecify;

  exports dev.arenal.arrow;
}
