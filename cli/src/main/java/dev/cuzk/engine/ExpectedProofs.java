package dev.cuzk.engine;

import dev.cuzk.device.DeviceException;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.key.ProvingKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many proofs of each key a run is known to make, and what follows for plans: tables of
 * multiples take as long to make as some dozens of proofs and shorten each by a tenth or two.
 */
public final class ExpectedProofs {
  /** From so many proofs on tables are made. */
  static final long TABLES_FROM = 200;

  /** More keys than this would push each other's tables out of memory. */
  private static final int MOST_KEYS = 2;

  /** The part of the host's memory that a key with its tables may take. */
  private static final int PART_OF_MEMORY = 4;

  private final Map<ProvingKey, Long> proofs = new ConcurrentHashMap<>();

  /** So many more proofs of a key will be asked for; before the first of them is submitted. */
  public void add(ProvingKey key, long more) {
    proofs.merge(key, more, Long::sum);
  }

  /** The CPU's plan for a key: with tables if they pay and there is room for them. */
  Planner.Choice choose(
      Forecast.Chooser chooser, ProvingKey key, long hostMemoryBudget, Plan wish, long limit)
      throws DeviceException {
    if (proofs.getOrDefault(key, 0L) >= TABLES_FROM && proofs.size() <= MOST_KEYS) {
      Planner.Choice tables =
          chooser.choose(
              key, hostMemoryBudget / PART_OF_MEMORY, wish.withTables(Plan.MOST_TABLE_LEVELS));
      if (tables.fits()) {
        return tables;
      }
    }
    return chooser.choose(key, limit, wish);
  }

  /**
   * A GPU's plan for a key: with tables if they pay, and no other key wants the memory; the library
   * gives them half of what the key leaves.
   */
  Planner.Choice chooseOnGpu(Forecast.Chooser chooser, ProvingKey key, Plan wish, long limit)
      throws DeviceException {
    boolean pay = proofs.getOrDefault(key, 0L) >= TABLES_FROM && proofs.size() == 1;
    return chooser.choose(key, limit, pay ? wish.withTables(Plan.MOST_TABLE_LEVELS) : wish);
  }
}
