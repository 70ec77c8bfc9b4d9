package dev.arenal.netty;

import io.netty.buffer.ByteBuf;
import java.nio.ByteOrder;

/** Netty's own tests of a buffer, seen in the other byte order. */
final class NettyLittleEndianContractTest extends BufferContract {
  @Override
  @SuppressWarnings("deprecation") // users have it
  protected ByteBuf newBuffer(int capacity, int maxCapacity) {
    return super.newBuffer(capacity, maxCapacity).order(ByteOrder.LITTLE_ENDIAN);
  }
}
