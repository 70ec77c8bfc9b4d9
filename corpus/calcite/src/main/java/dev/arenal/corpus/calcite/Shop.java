package dev.arenal.corpus.calcite;

import java.util.Random;

/** The data in memory that queries run over: a shop's tables, which Calcite finds by reflection. */
public final class Shop {
  static final String[] CITIES = {"Bern", "Cadiz", "Gdansk", "Lyon", "Porto", "Tartu", "Umea"};
  static final String[] SEGMENTS = {"private", "small", "large", "public"};
  static final String[] STATES = {"new", "paid", "packed", "sent", "returned"};
  static final String[] CATEGORIES = {"garden", "kitchen", "office", "sport", "toys"};

  private static final int CUSTOMERS = 80;
  private static final int ORDERS = 160;
  private static final int ITEMS = 300;
  private static final int PRODUCTS = 50;
  private static final int STAFF = 40;

  /** The table of customers. */
  public final Customer[] customers = new Customer[CUSTOMERS];

  /** The table of orders. */
  public final Order[] orders = new Order[ORDERS];

  /** The table of what was ordered. */
  public final Item[] items = new Item[ITEMS];

  /** The table of what is sold. */
  public final Product[] products = new Product[PRODUCTS];

  /** The table of those employed. */
  public final Worker[] staff = new Worker[STAFF];

  /** Always the same rows. */
  Shop() {
    Random random = new Random(1);
    for (int i = 0; i < CUSTOMERS; i++) {
      customers[i] =
          new Customer(
              i, "customer " + i, of(CITIES, random), of(SEGMENTS, random), random.nextInt(9_000));
    }
    for (int i = 0; i < ORDERS; i++) {
      orders[i] =
          new Order(
              i,
              random.nextInt(CUSTOMERS),
              of(STATES, random),
              random.nextDouble() * 900,
              random.nextInt(5));
    }
    for (int i = 0; i < ITEMS; i++) {
      items[i] =
          new Item(
              random.nextInt(ORDERS),
              random.nextInt(PRODUCTS),
              1 + random.nextInt(9),
              random.nextDouble() * 90);
    }
    for (int i = 0; i < PRODUCTS; i++) {
      products[i] =
          new Product(
              i,
              "product " + i,
              of(CATEGORIES, random),
              random.nextDouble() * 99,
              random.nextInt(70));
    }
    for (int i = 0; i < STAFF; i++) {
      staff[i] =
          new Worker(
              i,
              random.nextInt(i + 1),
              "worker " + i,
              of(CITIES, random),
              2_000 + random.nextInt(99));
    }
  }

  private static String of(String[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  /** A row of customers. */
  public static final class Customer {
    public final int custId;
    public final String custName;
    public final String city;
    public final String segment;
    public final double creditLimit;

    Customer(int custId, String custName, String city, String segment, double creditLimit) {
      this.custId = custId;
      this.custName = custName;
      this.city = city;
      this.segment = segment;
      this.creditLimit = creditLimit;
    }
  }

  /** A row of orders. */
  public static final class Order {
    public final int orderId;
    public final int custId;
    public final String status;
    public final double total;
    public final int priority;

    Order(int orderId, int custId, String status, double total, int priority) {
      this.orderId = orderId;
      this.custId = custId;
      this.status = status;
      this.total = total;
      this.priority = priority;
    }
  }

  /** A row of what was ordered. */
  public static final class Item {
    public final int orderId;
    public final int productId;
    public final int quantity;
    public final double unitPrice;

    Item(int orderId, int productId, int quantity, double unitPrice) {
      this.orderId = orderId;
      this.productId = productId;
      this.quantity = quantity;
      this.unitPrice = unitPrice;
    }
  }

  /** A row of what is sold. */
  public static final class Product {
    public final int productId;
    public final String title;
    public final String category;
    public final double listPrice;
    public final int stock;

    Product(int productId, String title, String category, double listPrice, int stock) {
      this.productId = productId;
      this.title = title;
      this.category = category;
      this.listPrice = listPrice;
      this.stock = stock;
    }
  }

  /** A row of those employed. */
  public static final class Worker {
    public final int staffId;
    public final int managerId;
    public final String fullName;
    public final String city;
    public final double salary;

    Worker(int staffId, int managerId, String fullName, String city, double salary) {
      this.staffId = staffId;
      this.managerId = managerId;
      this.fullName = fullName;
      this.city = city;
      this.salary = salary;
    }
  }
}
