package dev.arenal.corpus.groovy;

import groovy.lang.Binding;
import groovy.lang.Script;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.codehaus.groovy.runtime.InvokerHelper;

/** Runs the rules of its tenants on orders, and keeps those compiled that were used last. */
final class RuleServer {
  private static final int DRAINING = 12; // old versions still in use by requests under way
  private static final int NEW_ORDER_ODDS = 4;
  private static final int EXPRESSION_ODDS = 25;
  private static final int EDIT_ODDS = 40;

  private final Random random;
  private final int capacity;
  private final Orders orders;
  private final RuleWriter expressions;
  private final List<Tenant> tenants = new ArrayList<>();
  private final Map<String, Script> compiled = new LinkedHashMap<>(16, 0.75f, true);
  private final Deque<Script> draining = new ArrayDeque<>();
  private int tenantsSoFar;
  private Map<String, Object> order;

  RuleServer(long seed, int capacity) {
    random = new Random(seed);
    this.capacity = capacity;
    orders = new Orders(seed);
    expressions = new RuleWriter(seed);
    order = orders.next();
  }

  /** Takes on a tenant with so many rules. */
  void join(int rules) {
    tenants.add(new Tenant(tenantsSoFar++, rules));
  }

  /** Lets go of a tenant; its compiled rules stay until they were not used for long. */
  void leave() {
    tenants.remove(random.nextInt(tenants.size()));
  }

  int tenants() {
    return tenants.size();
  }

  /** Answers so many requests. */
  void serve(int requests) {
    for (int i = 0; i < requests; i++) {
      Tenant tenant = tenants.get(skewed(tenants.size()));
      if (random.nextInt(NEW_ORDER_ODDS) == 0) {
        order = orders.next();
      }
      int rule = skewed(tenant.rules());
      if (random.nextInt(EDIT_ODDS) == 0) {
        edit(tenant, rule);
      }
      run(rule(tenant, rule));
      if (random.nextInt(EXPRESSION_ODDS) == 0) {
        tenant.evaluate(expressions.expression(), binding());
      }
    }
  }

  /** Lets go of the compiled rules that were used longest ago, but for so many. */
  void shrinkTo(int most) {
    draining.clear();
    while (compiled.size() > most) {
      dropEldest();
    }
  }

  private void edit(Tenant tenant, int rule) {
    Script old = compiled.remove(tenant.nameOf(rule));
    tenant.edit(rule);
    if (old != null) {
      draining.add(old);
      if (draining.size() > DRAINING) {
        forget(draining.remove());
      }
    }
  }

  private Script rule(Tenant tenant, int rule) {
    Script script = compiled.get(tenant.nameOf(rule));
    if (script == null) {
      script = tenant.compile(rule);
      compiled.put(tenant.nameOf(rule), script);
      if (compiled.size() > capacity) {
        dropEldest();
      }
    }
    return script;
  }

  private void dropEldest() {
    Iterator<Script> eldest = compiled.values().iterator();
    forget(eldest.next());
    eldest.remove();
  }

  private void run(Script script) {
    script.setBinding(binding());
    script.run();
  }

  private Binding binding() {
    return new Binding(Map.of("order", order));
  }

  /** A number below a count, most often a small one: few of many are asked for often. */
  private int skewed(int count) {
    return (int) Math.pow(count, random.nextDouble()) % count;
  }

  /** Groovy's registry would keep what it knows of the class longer than needed. */
  private static void forget(Script script) {
    InvokerHelper.removeClass(script.getClass());
  }
}
