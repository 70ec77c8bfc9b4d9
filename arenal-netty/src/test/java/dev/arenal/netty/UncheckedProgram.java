package dev.arenal.netty;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Consumer;

/** A program that uses a released buffer, with all of Netty's own checks turned off. */
final class UncheckedProgram {
  private static final List<Consumer<ByteBuf>> USES =
      List.of(
          buffer -> buffer.setInt(0, 1),
          buffer -> buffer.setByte(255, 1),
          buffer -> System.out.println(buffer.getLong(8)),
          buffer -> buffer.getBytes(0, new byte[8]),
          buffer -> buffer.setBytes(0, new byte[8]),
          buffer -> buffer.setZero(0, 8));

  private UncheckedProgram() {}

  /** Prints what each use ends by. */
  public static void main(String[] args) {
    ByteBuf buffer = ArenalByteBufAllocator.DEFAULT.directBuffer(256);
    System.out.println(buffer.release());
    for (Consumer<ByteBuf> use : USES) {
      try {
        use.accept(buffer);
        System.out.println("no exception");
      } catch (IndexOutOfBoundsException e) {
        System.out.println("refused");
      }
    }
  }
}
