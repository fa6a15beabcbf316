package dev.cuzk.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.cuzk.format.Manifest.Ref;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Writes manifests that {@link ManifestReader} reads to the same records. */
final class ManifestWriter {
  private final JsonGenerator json;

  private ManifestWriter(JsonGenerator json) {
    this.json = json;
  }

  /** The manifest as UTF-8 JSON, with a newline at its end. */
  public static byte[] toJson(Manifest manifest) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      new ManifestWriter(json).write(manifest);
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private void write(Manifest manifest) throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", Manifest.VERSION);
    json.writeArrayFieldStart("keys");
    for (Manifest.Key key : manifest.keys()) {
      json.writeStartObject();
      json.writeStringField("id", key.id());
      json.writeStringField("curve", key.curve().printedName());
      inline(key.file());
      if (key.verifyingKey().isPresent()) {
        field("vk", key.verifyingKey().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("programs");
    for (Manifest.Program program : manifest.programs()) {
      named(program.id(), program.file());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("systems");
    for (Manifest.ConstraintSystem system : manifest.systems()) {
      named(system.id(), system.file());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("jobs");
    for (Manifest.Job job : manifest.jobs()) {
      write(job);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void named(String id, Ref ref) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", id);
    inline(ref);
    json.writeEndObject();
  }

  private void field(String name, Ref ref) throws IOException {
    json.writeObjectFieldStart(name);
    inline(ref);
    json.writeEndObject();
  }

  private void inline(Ref ref) throws IOException {
    json.writeStringField("format", ref.format());
    if (ref.section().isPresent()) {
      json.writeNumberField("section", ref.section().getAsLong());
    }
    optional("path", ref.path());
    if (ref.bytes().isPresent()) {
      json.writeNumberField("bytes", ref.bytes().getAsLong());
    }
    optional("sha256", ref.sha256());
  }

  private void optional(String name, Optional<String> value) throws IOException {
    if (value.isPresent()) {
      json.writeStringField(name, value.get());
    }
  }

  private void write(Manifest.Job job) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", job.name());
    json.writeStringField("kind", job.work().kind());
    if (job.priority().isPresent()) {
      json.writeNumberField("priority", job.priority().getAsInt());
    }
    optional("key", job.key());
    Manifest.Work work = job.work();
    if (work instanceof Manifest.Circom circom) {
      write(circom);
    } else if (work instanceof Manifest.Porep porep) {
      write(porep);
    } else if (work instanceof Manifest.Snap snap) {
      write(snap);
    } else if (work instanceof Manifest.WindowPost post) {
      write(post);
    } else if (work instanceof Manifest.WinningPost post) {
      sector(post.sectorSize(), post.registeredProof());
      json.writeStringField("randomness", post.randomness());
      inputs(List.of(post.input()));
    }
    json.writeEndObject();
  }

  private void write(Manifest.Circom circom) throws IOException {
    if (circom.witness().isPresent()) {
      field("witness", circom.witness().get());
    }
    optional("program", circom.program());
    if (circom.input().isPresent()) {
      field("input", circom.input().get());
    }
    optional("system", circom.system());
  }

  private void write(Manifest.Porep porep) throws IOException {
    sector(porep.sectorSize(), porep.registeredProof());
    if (porep.minerId().isPresent()) {
      json.writeNumberField("miner_id", porep.minerId().getAsLong());
    }
    json.writeNumberField("sector_number", porep.sectorNumber());
    field("input", porep.input());
  }

  private void write(Manifest.Snap snap) throws IOException {
    sector(snap.sectorSize(), snap.registeredProof());
    json.writeStringField("comm_r_old", snap.commROld());
    json.writeStringField("comm_r_new", snap.commRNew());
    json.writeStringField("comm_d_new", snap.commDNew());
    inputs(snap.inputs());
  }

  private void write(Manifest.WindowPost post) throws IOException {
    sector(post.sectorSize(), post.registeredProof());
    json.writeStringField("randomness", post.randomness());
    json.writeStringField("mode", post.partitionIndex().isPresent() ? "single" : "chunk");
    if (post.partitionIndex().isPresent()) {
      json.writeNumberField("partition_index", post.partitionIndex().getAsLong());
    }
    inputs(post.inputs());
  }

  private void sector(long bytes, String registeredProof) throws IOException {
    json.writeNumberField("sector_size", bytes);
    json.writeStringField("registered_proof", registeredProof);
  }

  private void inputs(List<Ref> inputs) throws IOException {
    json.writeArrayFieldStart("inputs");
    for (Ref input : inputs) {
      json.writeStartObject();
      inline(input);
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
