package dev.arenal.lab.record;

/**
 * The live blocks of one arena by address: a hash table in two int arrays.
 *
 * <p>Blocks are looked up only when one is given back early, which is rare; what counts is that a
 * live block costs some 12 bytes and no object. An address is kept as the low 32 bits of its word
 * number: within one arena they tell blocks apart unless these are a multiple of 32 GiB away from
 * each other.
 */
final class BlockTable {
  private static final int FREE = 0;
  private static final int FIRST_CAPACITY = 8;

  private int[] keys = new int[FIRST_CAPACITY];

  /** Block number + 1. */
  private int[] values = new int[FIRST_CAPACITY];

  private int size;

  /** Enters a block; a block known at this address is forgotten. */
  void put(long address, int block) {
    if (size + 1 > keys.length - keys.length / 4) {
      grow();
    }
    int slot = slotOf(keys, values, keyOf(address));
    if (values[slot] == FREE) {
      size++;
    }
    keys[slot] = keyOf(address);
    values[slot] = block + 1;
  }

  /** Removes the block at this address and returns its number; -1 if there is none. */
  int remove(long address) {
    int slot = slotOf(keys, values, keyOf(address));
    int block = values[slot] - 1;
    if (block >= 0) {
      close(slot);
      size--;
    }
    return block;
  }

  int size() {
    return size;
  }

  /** Empties the slot and moves up entries that stood behind it because it was taken. */
  private void close(int freedSlot) {
    int mask = keys.length - 1;
    int hole = freedSlot;
    values[hole] = FREE;
    for (int slot = (hole + 1) & mask; values[slot] != FREE; slot = (slot + 1) & mask) {
      int home = hash(keys[slot]) & mask;
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
        keys[hole] = keys[slot];
        values[hole] = values[slot];
        values[slot] = FREE;
        hole = slot;
      }
    }
  }

  private void grow() {
    int[] newKeys = new int[keys.length * 2];
    int[] newValues = new int[keys.length * 2];
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != FREE) {
        int slot = slotOf(newKeys, newValues, keys[i]);
        newKeys[slot] = keys[i];
        newValues[slot] = values[i];
      }
    }
    keys = newKeys;
    values = newValues;
  }

  private static int keyOf(long address) {
    return (int) (address >>> 3);
  }

  private static int slotOf(int[] keys, int[] values, int key) {
    int mask = keys.length - 1;
    int slot = hash(key) & mask;
    while (values[slot] != FREE && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static int hash(int key) {
    int product = key * 0x9E3779B9;
    return product ^ (product >>> 15);
  }
}
