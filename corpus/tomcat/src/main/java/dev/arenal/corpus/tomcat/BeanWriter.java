package dev.arenal.corpus.tomcat;

import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import dev.arenal.corpus.common.Property;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Writes the classes of an application's model, as generators do that read a schema: beans with
 * some properties, a getter and a setter for each.
 */
final class BeanWriter {
  private static final String PACKAGE = "com.example.model.";
  private static final List<String> NOUNS =
      List.of(
          "Account",
          "Address",
          "Article",
          "Booking",
          "Carrier",
          "Category",
          "Claim",
          "Comment",
          "Contract",
          "Customer",
          "Delivery",
          "Discount",
          "Document",
          "Employee",
          "Invoice",
          "Item",
          "Ledger",
          "Location",
          "Message",
          "Offer",
          "Order",
          "Payment",
          "Permission",
          "Price",
          "Product",
          "Profile",
          "Receipt",
          "Refund",
          "Shipment",
          "Supplier");
  private static final List<String> QUALIFIERS =
      List.of("", "Archived", "External", "Internal", "Pending", "Regional", "Shared", "Summary");
  private static final List<String> PROPERTIES =
      List.of(
          "active",
          "amount",
          "author",
          "balance",
          "barcode",
          "category",
          "channel",
          "city",
          "code",
          "comment",
          "country",
          "created",
          "currency",
          "description",
          "discount",
          "email",
          "expires",
          "external",
          "firstName",
          "height",
          "language",
          "lastName",
          "length",
          "modified",
          "name",
          "number",
          "owner",
          "parent",
          "phone",
          "position",
          "postalCode",
          "priority",
          "quantity",
          "rating",
          "reference",
          "region",
          "status",
          "street",
          "subject",
          "tax",
          "title",
          "total",
          "type",
          "unit",
          "url",
          "visible",
          "weight",
          "width");
  private static final List<ClassDesc> TYPES =
      List.of(CD_String, CD_String, CD_String, CD_int, CD_long, CD_double, CD_boolean);

  private final Random random;

  BeanWriter(long seed) {
    random = new Random(seed);
  }

  /** Returns class files of that many beans by their classes' names. */
  Map<String, byte[]> write(int beans) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    int first = random.nextInt(NOUNS.size());
    for (int i = 0; i < beans; i++) {
      String noun = NOUNS.get((first + i) % NOUNS.size());
      String name = PACKAGE + QUALIFIERS.get(i / NOUNS.size() % QUALIFIERS.size()) + noun;
      files.put(name, bean(ClassDesc.of(name)));
    }
    return files;
  }

  private byte[] bean(ClassDesc bean) {
    List<String> names = new ArrayList<>(PROPERTIES);
    Collections.shuffle(names, random);
    List<Property> properties = new ArrayList<>();
    // Most have a few properties, some have many.
    int count = 2 + random.nextInt(6) + (random.nextInt(5) == 0 ? random.nextInt(25) : 0);
    for (String name : names.subList(0, count)) {
      properties.add(new Property(name, TYPES.get(random.nextInt(TYPES.size()))));
    }
    return ClassFile.of()
        .build(
            bean,
            file -> {
              file.withFlags(ACC_PUBLIC);
              Property.writeConstructor(file);
              properties.forEach(property -> property.write(file, bean));
            });
  }
}
