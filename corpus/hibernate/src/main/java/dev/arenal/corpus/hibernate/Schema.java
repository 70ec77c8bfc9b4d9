package dev.arenal.corpus.hibernate;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws the schemas of tenants: none is like another, but all are made of the same words. */
final class Schema {
  private static final List<String> NOUNS =
      List.of(
          "Account",
          "Address",
          "Appointment",
          "Asset",
          "Booking",
          "Branch",
          "Budget",
          "Campaign",
          "Carrier",
          "Category",
          "Claim",
          "Contact",
          "Contract",
          "Customer",
          "Delivery",
          "Department",
          "Discount",
          "Document",
          "Employee",
          "Expense",
          "Incident",
          "Invoice",
          "Ledger",
          "License",
          "Machine",
          "Meeting",
          "Offer",
          "Parcel",
          "Payment",
          "Policy",
          "Position",
          "Product",
          "Project",
          "Purchase",
          "Receipt",
          "Refund",
          "Rental",
          "Shift",
          "Shipment",
          "Supplier",
          "Ticket",
          "Voucher",
          "Warehouse",
          "Warranty");
  private static final List<String> COLUMNS =
      List.of(
          "active",
          "amount",
          "approved",
          "barcode",
          "billed",
          "channel",
          "city",
          "code",
          "comments",
          "country",
          "currency",
          "deadline",
          "description",
          "discounted",
          "email",
          "expires",
          "finished",
          "height",
          "kind",
          "label",
          "language",
          "modified",
          "name",
          "notes",
          "phone",
          "priority",
          "quantity",
          "rate",
          "reference",
          "region",
          "remarks",
          "score",
          "signed",
          "started",
          "status",
          "street",
          "subject",
          "tax",
          "title",
          "total",
          "unit",
          "url",
          "verified",
          "weight",
          "width",
          "zip");
  private static final List<Class<?>> TYPES =
      List.of(
          String.class,
          String.class,
          String.class,
          Integer.class,
          long.class,
          boolean.class,
          BigDecimal.class,
          LocalDate.class,
          Double.class);

  private final Random random;

  Schema(long seed) {
    random = new Random(seed);
  }

  /** Draws entities; references go to those before, so that rows can be inserted in this order. */
  List<Entity> draw(int count) {
    List<String> names = new ArrayList<>(NOUNS);
    Collections.shuffle(names, random);
    List<Entity> entities = new ArrayList<>();
    for (String name : names.subList(0, count)) {
      List<Integer> references = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0 && !entities.isEmpty(); i--) {
        references.add(random.nextInt(entities.size()));
      }
      entities.add(new Entity(name, attributes(), references.stream().distinct().toList()));
    }
    return entities;
  }

  private List<Attribute> attributes() {
    List<String> names = new ArrayList<>(COLUMNS);
    Collections.shuffle(names, random);
    // Most tables are narrow, some are wide.
    int count = 3 + random.nextInt(7) + (random.nextInt(6) == 0 ? random.nextInt(25) : 0);
    List<Attribute> attributes = new ArrayList<>();
    for (String name : names.subList(0, count)) {
      attributes.add(new Attribute(name, TYPES.get(random.nextInt(TYPES.size()))));
    }
    return attributes;
  }
}
