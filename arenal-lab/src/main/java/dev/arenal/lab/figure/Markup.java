package dev.arenal.lab.figure;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes HTML and SVG element by element. Text and attributes are escaped by the JDK's writer of
 * XML, so that nothing in a name can become an element.
 */
public final class Markup {
  private static final XMLOutputFactory FACTORY = XMLOutputFactory.newDefaultFactory();

  private final StringWriter out = new StringWriter();
  private final XMLStreamWriter writer;

  /** Nothing yet. */
  public Markup() {
    try {
      this.writer = FACTORY.createXMLStreamWriter(out);
    } catch (XMLStreamException e) {
      throw unexpected(e);
    }
  }

  /** Something that is written. */
  @FunctionalInterface
  private interface Step {
    void write() throws XMLStreamException;
  }

  private Markup write(Step step) {
    try {
      step.write();
    } catch (XMLStreamException e) {
      throw unexpected(e);
    }
    return this;
  }

  /** Opens an element. */
  public Markup open(String name, String... attributes) {
    return write(() -> writer.writeStartElement(name)).attributes(attributes);
  }

  /** Adds an attribute to the element that was opened last. */
  public Markup attribute(String name, String value) {
    return write(() -> writer.writeAttribute(name, value));
  }

  private Markup attributes(String... namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      attribute(namesAndValues[i], namesAndValues[i + 1]);
    }
    return this;
  }

  /** Writes an element without content. */
  public Markup empty(String name, String... attributes) {
    return write(() -> writer.writeEmptyElement(name)).attributes(attributes);
  }

  /** Writes an element that has a text. */
  public Markup text(String name, String text, String... attributes) {
    return open(name, attributes).text(text).close();
  }

  /** Writes a text. */
  public Markup text(String text) {
    return write(() -> writer.writeCharacters(text));
  }

  /** Closes the innermost element that is open. */
  public Markup close() {
    return write(writer::writeEndElement);
  }

  /** Writes what is markup already. */
  public Markup insert(String markup) {
    flushed().append(markup);
    return this;
  }

  @Override
  public String toString() {
    return flushed().toString();
  }

  private StringWriter flushed() {
    write(() -> writer.writeCharacters(""));
    write(writer::flush);
    return out;
  }

  /** A coordinate: a tenth of a unit is finer than a pixel. */
  static String coordinate(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** A share of a whole. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", share * 100);
  }

  private static IllegalStateException unexpected(XMLStreamException e) {
    return new IllegalStateException("writing into memory failed", e);
  }
}
