package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What one experiment has to show, in every form it is shown in.
 *
 * @param title its heading
 * @param json its elements of {@code results.json}
 * @param html its part of {@code report.html}
 * @param findings what was seen, in plain sentences made from the figures
 * @param failures what went wrong, each a whole message
 */
public record Section(
    String title, List<JsonNode> json, String html, List<String> findings, List<String> failures) {}
