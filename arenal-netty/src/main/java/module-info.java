/**
 * Netty's buffers in Arenal's pages: a {@code ByteBufAllocator} whose direct memory goes back to
 * the operating system when a burst is over.
 *
 * <p>Needs {@code --enable-native-access=dev.arenal,dev.arenal.netty}.
 */
module dev.arenal.netty {
  requires transitive dev.arenal;
  requires transitive io.netty.buffer;
  requires io.netty.common;
  requires static org.jspecify;

  exports dev.arenal.netty;
}
