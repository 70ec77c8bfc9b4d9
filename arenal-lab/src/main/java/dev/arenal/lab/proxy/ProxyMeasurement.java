package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;

/**
 * The figures of all proxies.
 *
 * @param plan what was asked for
 * @param results one for each arm that went through the waves
 * @param notes what is missing and why; whole lines
 * @param failures what went wrong, each a whole message
 */
@JsonIgnoreProperties(
    value = {"notes", "failures"},
    allowSetters = true)
public record ProxyMeasurement(
    @JsonUnwrapped ProxyPlan plan,
    List<ProxyResult> results,
    List<String> notes,
    List<String> failures) {
  /** The result of an arm, if there is one. */
  public Optional<ProxyResult> find(ProxyArm arm) {
    return results.stream().filter(result -> result.arm() == arm).findFirst();
  }
}
