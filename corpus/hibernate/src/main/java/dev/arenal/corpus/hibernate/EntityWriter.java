package dev.arenal.corpus.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.InstrumentedType;

/**
 * Writes the classes of a tenant's entities, annotated, as a platform does that lets its customers
 * define tables of their own.
 */
final class EntityWriter {
  private final String namespace;
  private final ByteBuddy byteBuddy = new ByteBuddy();

  EntityWriter(String namespace) {
    this.namespace = namespace;
  }

  String className(Entity entity) {
    return namespace + "." + entity.name();
  }

  /** Returns class files by their classes' names. */
  Map<String, byte[]> write(List<Entity> entities) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    DynamicType.Unloaded<?> base = base();
    files.put(base.getTypeDescription().getName(), base.getBytes());
    for (int i = 0; i < entities.size(); i++) {
      files.put(
          className(entities.get(i)), entity(entities, i, base.getTypeDescription()).getBytes());
    }
    return files;
  }

  /** The properties that all entities of a tenant have: a key and a version. */
  private DynamicType.Unloaded<?> base() {
    return byteBuddy
        .subclass(Object.class)
        .modifiers(Modifier.PUBLIC | Modifier.ABSTRACT)
        .name(namespace + ".Base")
        .annotateType(of(MappedSuperclass.class).build())
        .defineProperty("id", Long.class)
        .annotateField(
            of(Id.class).build(),
            of(GeneratedValue.class).define("strategy", GenerationType.IDENTITY).build())
        .defineProperty("version", int.class)
        .annotateField(of(Version.class).build())
        .make();
  }

  private DynamicType.Unloaded<?> entity(List<Entity> all, int place, TypeDescription base) {
    Entity entity = all.get(place);
    DynamicType.Builder<?> builder =
        byteBuddy
            .subclass(base)
            .name(className(entity))
            .annotateType(
                of(jakarta.persistence.Entity.class).build(),
                of(Table.class).define("name", "t_" + entity.name()).build());
    for (Attribute attribute : entity.attributes()) {
      builder =
          builder
              .defineProperty(attribute.name(), attribute.type())
              .annotateField(
                  of(Column.class)
                      .define("name", "c_" + attribute.name())
                      .define("length", 100)
                      .build());
    }
    for (int reference : entity.references()) {
      Entity other = all.get(reference);
      builder =
          builder
              .defineProperty("the" + other.name(), type(other))
              .annotateField(of(ManyToOne.class).define("fetch", FetchType.LAZY).build());
    }
    // The other side of the references, for some of those that refer to this one.
    for (int i = place + 1; i < all.size(); i++) {
      if (all.get(i).references().contains(place) && i % 2 == 0) {
        builder =
            builder
                .defineProperty("all" + all.get(i).name(), listOf(all.get(i)))
                .annotateField(
                    of(OneToMany.class)
                        .define("mappedBy", "the" + entity.name())
                        .defineEnumerationArray("cascade", CascadeType.class, CascadeType.REMOVE)
                        .build());
      }
    }
    return builder.make();
  }

  /** The type of an entity that may not be written yet. */
  private TypeDescription type(Entity entity) {
    return InstrumentedType.Default.of(
        className(entity),
        TypeDescription.Generic.OfNonGenericType.ForLoadedType.of(Object.class),
        Modifier.PUBLIC);
  }

  private TypeDescription.Generic listOf(Entity entity) {
    return TypeDescription.Generic.Builder.parameterizedType(
            TypeDescription.ForLoadedType.of(List.class), type(entity))
        .build();
  }

  private static AnnotationDescription.Builder of(Class<? extends Annotation> type) {
    return AnnotationDescription.Builder.ofType(type);
  }
}
