package dev.arenal.corpus.hibernate;

import java.util.List;

/**
 * An entity of a tenant's schema: its columns, and the entities (by their places in the schema)
 * that it refers to.
 */
record Entity(String name, List<Attribute> attributes, List<Integer> references) {}
