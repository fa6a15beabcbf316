package dev.cuzk.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.cuzk.format.InputException;
import dev.cuzk.format.JsonFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Results as JSON: written for {@code --export-json}, read back for {@code --compare}. */
public final class BenchExport {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private BenchExport() {}

  /** The export of a result: one JSON object, indented, with a line feed at its end. */
  public static String toJson(BenchResult result) {
    try {
      return MAPPER.writeValueAsString(result) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result holds plain data only", e);
    }
  }

  /**
   * Medians of an earlier export, by case.
   *
   * @throws InputException if the file cannot be read or is no export of a schema known here
   */
  public static Map<String, Double> readMedians(Path file) throws InputException {
    JsonNode root;
    try {
      root = MAPPER.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      throw new InputException(file.toString(), JsonFault.describe(e), e);
    } catch (IOException e) {
      String problem =
          Files.exists(file) ? "cannot be read: " + e.getMessage() : "there is no such file";
      throw new InputException(file.toString(), problem, e);
    }
    int schema = root == null ? 0 : root.path("schema").asInt(0);
    if (schema != BenchResult.SCHEMA || !root.path("cases").isArray()) {
      throw new InputException(
          file.toString(),
          "not an export of cuzk bench (expected schema "
              + BenchResult.SCHEMA
              + ", found "
              + schema
              + "). Make one with --export-json.");
    }
    Map<String, Double> medians = new HashMap<>();
    for (JsonNode entry : root.path("cases")) {
      JsonNode id = entry.path("id");
      JsonNode median = entry.path("statistics").path("median");
      if (!id.isTextual() || !median.isNumber() || !(median.asDouble() > 0)) {
        throw new InputException(file.toString(), "a case has no id or no median above zero");
      }
      medians.put(id.asText(), median.asDouble());
    }
    return medians;
  }

  static List<BenchResult.Comparison> compare(
      List<BenchCase> cases, Map<String, Double> before, OptionalDouble failAbovePercent) {
    List<BenchResult.Comparison> comparisons = new ArrayList<>();
    for (BenchCase now : cases) {
      Double earlier = before.get(now.id());
      if (earlier != null) {
        double median = now.statistics().median();
        double change = 100 * (median / earlier - 1);
        boolean failed = failAbovePercent.isPresent() && change > failAbovePercent.getAsDouble();
        comparisons.add(new BenchResult.Comparison(now.id(), earlier, median, change, failed));
      }
    }
    return comparisons;
  }
}
