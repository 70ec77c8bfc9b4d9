package dev.arenal.corpus.rhino;

import java.util.Random;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeJSON;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * A customer of the service: a scope with its library, and how often each of its rules was edited.
 */
final class Tenant {
  private static final int FEWEST_RULES = 20;
  private static final int MOST_RULES = 90;

  private final int id;
  private final Scriptable scope;
  private final int[] versions;

  Tenant(int id, Context context, ScriptableObject shared) {
    this.id = id;
    versions = new int[new Random(id).nextInt(FEWEST_RULES, MOST_RULES)];
    scope = child(context, shared);
    Object host = Context.javaToJS(new Host(), scope);
    ScriptableObject.putProperty(scope, "host", host);
    compile(context, RuleScripts.library(id), "library" + id).exec(context, scope);
  }

  int id() {
    return id;
  }

  int rules() {
    return versions.length;
  }

  /** Its owner saves a rule once more. */
  void edit(int rule) {
    versions[rule]++;
  }

  /** Judges an order by a rule, in a scope of its own over that of the tenant. */
  String judge(Context context, RuleCache cache, int rule, String order) {
    Script script =
        cache.get(
            new RuleCache.Key(id, rule),
            versions[rule],
            key -> compile(context, RuleScripts.rule(id, rule, versions[rule]), "rule" + rule));
    Scriptable request = child(context, scope);
    Object parsed = NativeJSON.parse(context, request, order, (c, s, t, args) -> args[1]);
    ScriptableObject.putProperty(request, "order", parsed);
    return Context.toString(script.exec(context, request));
  }

  private static Scriptable child(Context context, Scriptable parent) {
    Scriptable child = context.newObject(parent);
    child.setPrototype(parent);
    child.setParentScope(null);
    return child;
  }

  private static Script compile(Context context, String text, String name) {
    return context.compileString(text, name, 1, null);
  }
}
