package dev.arenal.corpus.hibernate;

import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.util.List;
import java.util.Random;
import org.hibernate.Session;

/** The kinds of queries that the tenants' users ask. */
final class Queries {
  private final Session session;
  private final Random random;

  Queries(Session session, Random random) {
    this.session = session;
    this.random = random;
  }

  /** Asks one query about an entity. */
  void ask(List<Entity> entities, int place, Class<?> type) {
    Entity entity = entities.get(place);
    Attribute attribute = entity.attributes().get(random.nextInt(entity.attributes().size()));
    switch (random.nextInt(6)) {
      case 0 -> search(entity, attribute, type);
      case 1 -> report(entity, attribute);
      case 2 -> criteria(attribute, type);
      case 3 -> change(attribute, type);
      case 4 -> {
        if (!entity.references().isEmpty()) {
          join(entity, entities.get(entity.references().getFirst()), type);
        }
      }
      default -> {
        if (!entity.references().isEmpty()) {
          follow(entity, entities.get(entity.references().getLast()), type);
        }
      }
    }
  }

  private void search(Entity entity, Attribute attribute, Class<?> type) {
    String order = random.nextBoolean() ? "e.id" : "e." + attribute.name() + " desc, e.id";
    session
        .createQuery(
            "select e from %s e where e.%s >= :least order by %s"
                .formatted(entity.name(), attribute.name(), order),
            type)
        .setParameter("least", Properties.draw(attribute.type(), random))
        .setMaxResults(20)
        .getResultList();
  }

  private void report(Entity entity, Attribute attribute) {
    session
        .createQuery(
            "select e.%1$s, count(*), max(e.id) from %2$s e group by e.%1$s having count(*) > 0"
                .formatted(attribute.name(), entity.name()),
            Object[].class)
        .getResultList();
  }

  private <T> void criteria(Attribute attribute, Class<T> type) {
    CriteriaBuilder builder = session.getCriteriaBuilder();
    CriteriaQuery<T> query = builder.createQuery(type);
    Root<T> root = query.from(type);
    query
        .where(
            builder.or(
                builder.isNull(root.get(attribute.name())),
                builder.greaterThan(root.get("id"), random.nextLong(10))))
        .orderBy(builder.desc(root.get("id")));
    session.createQuery(query).setMaxResults(5).getResultList();
  }

  /** Changes a row; the session finds out what to update. */
  private void change(Attribute attribute, Class<?> type) {
    Object row = session.find(type, 1L);
    Properties.set(row, attribute.name(), Properties.draw(attribute.type(), random));
    session.flush();
  }

  private void join(Entity entity, Entity other, Class<?> type) {
    session
        .createQuery(
            "select e from %s e left join fetch e.the%s o where o.id in (1, 2) or e.id < 5"
                .formatted(entity.name(), other.name()),
            type)
        .getResultList();
  }

  /** Follows a reference: a proxy gets its row when it is asked for a column. */
  private void follow(Entity entity, Entity other, Class<?> type) {
    session.clear();
    Object row = session.find(type, 1L);
    Object proxy = Properties.get(row, "get", "the" + other.name());
    Properties.get(proxy, other.attributes().getFirst());
  }
}
