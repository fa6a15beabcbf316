package dev.cuzk.batch;

import static java.math.RoundingMode.FLOOR;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.cuzk.engine.ProofSink.Evidence;
import dev.cuzk.format.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;

/**
 * What is kept of a device's wrong proof: the proof, what it should have proved, and whose it was.
 * Neither witness nor randomness.
 */
final class EvidenceFile {
  private EvidenceFile() {}

  /** {@code NAME.partition-0.device-1.fault-1.json}. */
  static String name(Evidence evidence) {
    return evidence.job().name()
        + ".partition-"
        + evidence.partition()
        + ".device-"
        + evidence.device()
        + ".fault-"
        + evidence.faults()
        + ".json";
  }

  static byte[] content(Evidence evidence, String tool) throws IOException, InputException {
    JobState state = (JobState) evidence.job().attachment();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeNumberField("time", BigDecimal.valueOf(RunEvents.now()).setScale(3, FLOOR));
      json.writeStringField("tool", tool);
      json.writeStringField("job", evidence.job().name());
      json.writeStringField("kind", evidence.job().kind());
      json.writeNumberField("partition", evidence.partition());
      json.writeNumberField("device", evidence.device());
      json.writeStringField("device_name", evidence.deviceName());
      json.writeStringField("device_uuid", evidence.deviceUuid());
      json.writeNumberField("fault", evidence.faults());
      json.writeStringField("curve", state.spec.key().provingKey().curve().printedName());
      json.writeStringField("key_sha256", state.spec.key().sha256());
      json.writeStringField("proof_little_endian", HexFormat.of().formatHex(evidence.points()));
      json.writeArrayFieldStart("public_inputs");
      for (BigInteger value : evidence.publicInputs()) {
        json.writeString(value.toString());
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }
}
