package dev.arenal.corpus.felix.app;

import java.util.function.IntFunction;
import org.apache.commons.jexl3.JexlBuilder;
import org.apache.commons.jexl3.JexlEngine;
import org.apache.commons.jexl3.JexlScript;
import org.apache.commons.jexl3.MapContext;

/** A feature of a tenant: prices by formulas that its owner may edit. */
public final class Pricing implements IntFunction<String> {
  private static final String[] FORMULAS = {
    "price * (1 - discount)",
    "var s = 0; for (var i : [1, 2, 3, 5, 8]) { s += i * price } s / amount",
    "if (amount > 10) { price * 0.9 } else { price + 2 }",
    "name.toUpperCase() + ':' + name.length()",
    "var f = (x) -> { x <= 1 ? 1 : x * f(x - 1) }; f(amount % 6)",
    "{'total' : price * amount, 'who' : name}.total",
    "amount =~ [1, 4, 9] || name =^ 'ten'",
  };

  private final JexlEngine engine = new JexlBuilder().cache(64).strict(true).create();

  @Override
  public String apply(int request) {
    JexlScript script = engine.createScript(FORMULAS[request % FORMULAS.length]);
    MapContext context = new MapContext();
    context.set("price", 2.5 * request);
    context.set("discount", 0.1);
    context.set("amount", request % 17 + 1);
    context.set("name", "tenant" + request);
    return String.valueOf(script.execute(context));
  }
}
