package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.guard.Damage;
import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Field;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The page allocator of the whole program stops serving: nobody but the library has it. */
final class DamagedPagesTest {
  private final ArenalByteBufAllocator allocator = ArenalByteBufAllocator.DEFAULT;

  /** As an operation does that ends in the middle. */
  private static void damage(PageAllocator pages) throws ReflectiveOperationException {
    ((Damage) field(field(field(pages, "state"), "supply"), "damage"))
        .note(new StackOverflowError());
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return Objects.requireNonNull(field.get(of));
  }

  @Test
  void damagedPages_areReplaced_andOpenBuffersStay() throws Exception {
    ByteBuf before = allocator.directBuffer(1000).writeLong(42);
    PageAllocator first = allocator.pages();
    damage(first);
    assertThat(first.isDamaged()).isTrue();
    ByteBuf after = allocator.directBuffer(1000).writeLong(43);
    PageAllocator second = allocator.pages();
    assertThat(second).isNotSameAs(first);
    assertThat(second.isDamaged()).isFalse();
    assertThat(second.budget()).isSameAs(first.budget());
    assertThat(before.getLong(0)).isEqualTo(42);
    assertThat(after.getLong(0)).isEqualTo(43);
    assertThat(before.release()).isTrue();
    assertThat(after.release()).isTrue();
    assertThat(allocator.pages()).isSameAs(second);
  }

  @Test
  void bufferInDamagedPages_shrinks() throws Exception {
    PageAllocator own = Pages.open();
    ByteBuf buffer = new ArenalByteBufAllocator(own, true).directBuffer(10_000).writeLong(42);
    damage(own);
    assertThat(buffer.capacity(100).capacity()).isEqualTo(100);
    assertThat(buffer.getLong(0)).isEqualTo(42);
    assertThat(buffer.release()).isTrue();
    own.close();
  }

  /** A mistake of the program, which would otherwise cost every later buffer. */
  @Test
  void closedPages_areReplaced() {
    PageAllocator first = allocator.pages();
    assertThat(first.usedBytes()).isZero();
    first.close();
    ByteBuf buffer = allocator.directBuffer(1000).writeLong(42);
    assertThat(allocator.pages()).isNotSameAs(first);
    assertThat(allocator.pages().budget()).isSameAs(first.budget());
    assertThat(buffer.getLong(0)).isEqualTo(42);
    assertThat(buffer.release()).isTrue();
  }

  /** The program's own is the program's to replace. */
  @Test
  void pagesOfTheProgram_stay() throws Exception {
    PageAllocator own = Pages.open();
    ArenalByteBufAllocator overOwn = new ArenalByteBufAllocator(own, true);
    damage(own);
    assertThat(overOwn.pages()).isSameAs(own);
    own.close();
  }
}
