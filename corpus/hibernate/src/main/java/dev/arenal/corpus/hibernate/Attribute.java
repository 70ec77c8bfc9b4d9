package dev.arenal.corpus.hibernate;

/** A column of an entity: a name and a Java type. */
record Attribute(String name, Class<?> type) {}
