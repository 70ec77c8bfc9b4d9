package dev.arenal.corpus.jsp.shop;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/** The things that a visitor put aside; it lives in the session. */
public class Cart implements Serializable {
  private static final long serialVersionUID = 1;

  private final Map<String, Integer> amounts = new TreeMap<>();

  public Map<String, Integer> getAmounts() {
    return amounts;
  }

  /** The number of things in it. */
  public int getSize() {
    return amounts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Puts one more of an item in. */
  public void add(Item item) {
    amounts.merge(item.getName(), 1, Integer::sum);
  }
}
