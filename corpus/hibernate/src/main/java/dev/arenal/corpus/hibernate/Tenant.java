package dev.arenal.corpus.hibernate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.BootstrapServiceRegistry;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;

/**
 * A tenant whose data are at hand: its classes, in a loader of their own, its session factory, and
 * its database in memory.
 */
final class Tenant implements AutoCloseable {
  private static final int MOST_ROWS = 3;

  private final List<Entity> entities;
  private final List<Class<?>> classes = new ArrayList<>();
  private final BootstrapServiceRegistry bootstrap;
  private final StandardServiceRegistry services;
  private final SessionFactory sessions;

  Tenant(int number, int size) {
    entities = new Schema(number).draw(size);
    EntityWriter writer = new EntityWriter("com.example.tenant" + number);
    TenantLoader loader = new TenantLoader(writer.write(entities), number % 3 == 0);
    bootstrap = new BootstrapServiceRegistryBuilder().applyClassLoader(loader).build();
    services =
        new StandardServiceRegistryBuilder(bootstrap)
            .applySettings(
                Map.of(
                    "hibernate.connection.url", "jdbc:h2:mem:tenant" + number,
                    "hibernate.connection.username", "sa",
                    "hibernate.connection.password", "",
                    "hibernate.hbm2ddl.auto", "create-drop"))
            .build();
    MetadataSources sources = new MetadataSources(services);
    for (Entity entity : entities) {
      try {
        Class<?> type = loader.loadClass(writer.className(entity));
        classes.add(type);
        sources.addAnnotatedClass(type);
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
    sessions = sources.buildMetadata().buildSessionFactory();
  }

  /** Inserts rows into some of the tables. */
  void insert(Random random) {
    sessions.inTransaction(session -> {
      for (int i = 0; i < entities.size(); i++) {
        for (int row = random.nextInt(MOST_ROWS); row >= 0; row--) {
          session.persist(row(session, random, i));
        }
      }
    });
  }

  /** Asks as many queries, of different kinds, about entities drawn at random. */
  void ask(Random random, int queries) {
    sessions.inTransaction(session -> {
      Queries some = new Queries(session, random);
      for (int i = 0; i < queries; i++) {
        int place = random.nextInt(entities.size());
        some.ask(entities, place, classes.get(place));
      }
    });
  }

  @Override
  public void close() {
    sessions.close();
    StandardServiceRegistryBuilder.destroy(services);
    BootstrapServiceRegistryBuilder.destroy(bootstrap);
  }

  private Object row(Session session, Random random, int place) {
    Entity entity = entities.get(place);
    Class<?> type = classes.get(place);
    Object row = Properties.make(type);
    for (Attribute attribute : entity.attributes()) {
      Properties.set(row, attribute.name(), Properties.draw(attribute.type(), random));
    }
    for (int reference : entity.references()) {
      // The first row of each table is there: it was inserted before, or just now.
      Object other = session.getReference(classes.get(reference), 1L);
      Properties.set(row, "the" + entities.get(reference).name(), other);
    }
    return row;
  }
}
