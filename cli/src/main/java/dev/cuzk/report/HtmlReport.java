package dev.cuzk.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a run as one HTML file that needs nothing else: the page's script draws everything from
 * the data in it, with uPlot (MIT licence, its text included). Names from the run reach the page as
 * JSON data and as text nodes only, never as markup.
 */
public final class HtmlReport {
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/";

  private HtmlReport() {}

  /**
   * The page, UTF-8.
   *
   * @param document report.json as it is
   */
  public static byte[] of(byte[] document, RunPlots plots) throws IOException {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("uplot.css", resource(UPLOT + "dist/uPlot.min.css"));
    parts.put("page.css", resource("page.css"));
    parts.put("uplot.licence", resource(UPLOT + "LICENSE").strip());
    parts.put("uplot.js", resource(UPLOT + "dist/uPlot.iife.min.js"));
    parts.put("data", data(document, plots.bars()));
    parts.put("page.js", resource("page.js"));
    StringBuilder page = new StringBuilder();
    String rest = resource("page.html");
    for (Map.Entry<String, String> part : parts.entrySet()) {
      String place = "{{" + part.getKey() + "}}";
      int at = rest.indexOf(place);
      page.append(rest, 0, at).append(part.getValue());
      rest = rest.substring(at + place.length());
    }
    return page.append(rest).toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String data(byte[] document, PartitionBars bars) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode report = (ObjectNode) mapper.readTree(document);
    for (JsonNode job : report.path("jobs")) {
      // They are in the bars.
      ((ObjectNode) job).remove("partitions");
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setCodec(mapper);
      json.writeStartObject();
      json.writeObjectField("report", report);
      bars(json, bars);
      json.writeEndObject();
    }
    // Nothing in the data may end the element that it stands in.
    return text.toString().replace("<", "\\u003c").replace(">", "\\u003e");
  }

  /** Rows as [job, partition, …]; bars as [row, stage, device, start, length, …], milliseconds. */
  private static void bars(JsonGenerator json, PartitionBars bars) throws IOException {
    List<PartitionBars.Row> rows = bars.rows();
    Map<String, Integer> jobs = new LinkedHashMap<>();
    Map<String, Integer> stages = new LinkedHashMap<>();
    json.writeArrayFieldStart("rows");
    for (PartitionBars.Row row : rows) {
      json.writeNumber(number(jobs, row.job()));
      json.writeNumber(row.partition());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("bars");
    for (int i = 0; i < rows.size(); i++) {
      for (PartitionBars.Bar bar : rows.get(i).bars()) {
        json.writeNumber(i);
        json.writeNumber(number(stages, bar.stage()));
        json.writeNumber(bar.device());
        json.writeNumber(Math.round(bar.startMs() * 1e3) / 1e3);
        json.writeNumber(Math.round(bar.ms() * 1e3) / 1e3);
      }
    }
    json.writeEndArray();
    json.writeObjectField("jobs", jobs.keySet());
    json.writeObjectField("stages", stages.keySet());
    json.writeNumberField("left_out", bars.leftOut());
  }

  private static int number(Map<String, Integer> numbers, String name) {
    return numbers.computeIfAbsent(name, each -> numbers.size());
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing from this installation. Run ./install.sh again.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
