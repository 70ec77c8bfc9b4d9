package dev.arenal.netty;

import io.netty.buffer.ByteBuf;

/** A program whose first access to a buffer is at the end of a stack. */
final class DeepProgram {
  private final ByteBuf buffer = ArenalByteBufAllocator.DEFAULT.directBuffer(1000);

  private DeepProgram() {}

  /** Prints what a later buffer holds. */
  public static void main(String[] args) throws InterruptedException {
    DeepProgram program = new DeepProgram();
    Thread deep = new Thread(null, program::endStack, "deep", 1 << 20);
    deep.start();
    deep.join();
    ByteBuf later = ArenalByteBufAllocator.DEFAULT.directBuffer(100).writeInt(42);
    System.out.println(later.readInt());
    System.out.println(later.release() && program.buffer.release());
  }

  private void endStack() {
    try {
      descend();
    } catch (StackOverflowError e) {
      System.out.println("the stack has ended");
    }
  }

  /** On the way back each frame tries, until there is room enough. */
  @SuppressWarnings("InfiniteRecursion") // on purpose
  private void descend() {
    try {
      descend();
    } catch (StackOverflowError e) {
      var _ = buffer.setByte(0, 1);
      throw e;
    }
  }
}
