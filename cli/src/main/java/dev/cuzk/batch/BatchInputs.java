package dev.cuzk.batch;

import dev.cuzk.engine.Job;
import dev.cuzk.engine.Partition;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The jobs of a run, read and checked as far as headers tell, without running them. */
public final class BatchInputs implements AutoCloseable {
  private final KeyTable keys;
  private final List<Job> jobs = new ArrayList<>();

  private BatchInputs(KeyTable keys) {
    this.keys = keys;
  }

  /**
   * Reads all inputs, a list of names to its end.
   *
   * @param warnings receives one line each
   * @param reading hears of keys that are read whole for their digest
   * @throws UsageException if the options make no sense together
   * @throws InputException if a file does not fit
   */
  public static BatchInputs read(BatchOptions options, Consumer<String> warnings, Reading reading)
      throws UsageException, InputException, InterruptedException {
    KeyTable keys = new KeyTable(options.cache(), options.strict(), warnings, reading);
    BatchInputs inputs = new BatchInputs(keys);
    try (InputReader reader = new InputReader(options, keys, warnings)) {
      reader.readListed().forEach(spec -> inputs.add(spec, options));
      if (options.filesFrom() != null) {
        inputs.readList(reader, options);
      }
      return inputs;
    } catch (UsageException | InputException | InterruptedException | RuntimeException e) {
      inputs.close();
      throw e;
    }
  }

  private void readList(InputReader reader, BatchOptions options)
      throws UsageException, InputException, InterruptedException {
    try (ListReader list = new ListReader(ListReader.opening(options), options.filesFromNul())) {
      while (!list.ended()) {
        Optional<ListReader.Entry> entry = list.poll(BatchRunner.POLL_MILLISECONDS);
        if (entry.isPresent()) {
          reader.readEntry(entry.get()).forEach(spec -> add(spec, options));
        }
      }
    } catch (IOException e) {
      throw Digests.unreadable(Path.of(options.filesFrom()), e);
    }
  }

  private void add(JobSpec spec, BatchOptions options) {
    if (options.shard() != null && !options.shard().contains(spec.name())) {
      return;
    }
    ProvingKey key = spec.key().provingKey();
    List<Partition> partitions = new ArrayList<>();
    for (int i = 0; i < spec.partitions().size(); i++) {
      partitions.add(new Partition(i, key, spec.partitions().get(i)));
    }
    jobs.add(
        new Job(jobs.size(), spec.name(), spec.kind(), spec.priority(), null, partitions, null));
  }

  /** Every job with all its partitions, in order. */
  public List<Job> jobs() {
    return List.copyOf(jobs);
  }

  @Override
  public void close() {
    keys.close();
  }
}
