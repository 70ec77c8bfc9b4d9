package dev.arenal.corpus.felix.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A feature of a tenant: rules in YAML. */
public final class Rules implements IntFunction<String> {
  private static final String TEXT =
      """
      defaults: &defaults
        retries: 3
        since: 2024-02-29
        ratio: 0.75
      rules:
        - name: welcome
          <<: *defaults
          when: [first, second]
        - name: farewell
          text: |
            Good bye,
            and come again.
          enabled: true
      """;

  @Override
  public String apply(int request) {
    Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    Map<String, Object> map = yaml.load(TEXT);
    List<String> names = new ArrayList<>();
    for (Object rule : (List<?>) map.get("rules")) {
      names.add(String.valueOf(((Map<?, ?>) rule).get("name")));
    }
    if (request % 3 == 0) {
      DumperOptions options = new DumperOptions();
      options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
      return new Yaml(options).dump(map);
    }
    return String.join(",", names);
  }
}
