package dev.arenal.corpus.jsp.shop;

import java.util.Date;
import java.util.List;

/** A thing on sale, as the pages of a webapp see it. */
public class Item {
  private final int id;
  private final String name;
  private final String category;
  private final double price;
  private final int stock;
  private final Date added;
  private final List<String> tags;

  Item(
      int id,
      String name,
      String category,
      double price,
      int stock,
      Date added,
      List<String> tags) {
    this.id = id;
    this.name = name;
    this.category = category;
    this.price = price;
    this.stock = stock;
    this.added = added;
    this.tags = tags;
  }

  public int getId() {
    return id;
  }

  public String getName() {
    return name;
  }

  public String getCategory() {
    return category;
  }

  public double getPrice() {
    return price;
  }

  public int getStock() {
    return stock;
  }

  public Date getAdded() {
    return added;
  }

  public List<String> getTags() {
    return tags;
  }
}
