package dev.cuzk.engine.simulation;

import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.device.Stage;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.math.CurveId;
import java.util.ArrayList;
import java.util.List;

/** What keys and proofs take on a fake device, in memory and in time. */
public interface FakeCosts {
  /** The plans that the device knows for a key, the fastest first; {@code wish} bounds them. */
  List<Plan> plans(ProvingKey key, Plan wish);

  /** What the key and {@code plan.batch()} proofs take. */
  MemoryNeeds needs(ProvingKey key, Plan plan);

  /** The fastest plan that fits; see {@link dev.cuzk.device.Backend#choosePlan}. */
  default Planner.Choice choose(ProvingKey key, long memory, Plan wish) {
    Planner.Choice smallest = null;
    for (Plan plan : plans(key, wish)) {
      MemoryNeeds needs = needs(key, plan);
      boolean fits = needs.keyBytes() + needs.proofBytes() <= memory;
      smallest = new Planner.Choice(plan, needs, fits);
      if (fits) {
        break;
      }
    }
    return smallest;
  }

  double keyLoadMs(ProvingKey key, Plan plan);

  /** Milliseconds of each stage of one proof; index = {@link Stage} ordinal. */
  double[] stageMs(ProvingKey key, Plan plan);

  /**
   * The sum of the points' bytes for a resident key, three vectors of the domain for a proof. A
   * streamed key takes a sixteenth of its bytes while it passes, and every proof as long as its
   * share of loading the key besides.
   */
  static FakeCosts of(double keyLoadMs, double proofMs) {
    return new Simple(keyLoadMs, proofMs);
  }

  /** See {@link #of}. */
  record Simple(double loadMs, double proofMs) implements FakeCosts {
    private static final int RING = 16;
    private static final int CHUNK_LOG2 = 20;

    @Override
    public List<Plan> plans(ProvingKey key, Plan wish) {
      List<Plan> plans = new ArrayList<>();
      if (wish.batch() > 1) {
        plans.add(new Plan(true, 2, 0, 0, 0));
      }
      plans.add(Plan.RESIDENT);
      for (int batch = wish.batch(); batch >= 1; batch--) {
        plans.add(new Plan(false, batch, 0, 0, CHUNK_LOG2));
      }
      return plans;
    }

    @Override
    public MemoryNeeds needs(ProvingKey key, Plan plan) {
      long keyBytes = key.entryCount() * 44;
      for (Query query : Query.values()) {
        keyBytes += key.count(query) * key.curve().pointBytes(query.isG2());
      }
      long proofBytes = 3L * CurveId.SCALAR_BYTES << key.domainLog2();
      long pinned = key.variables() * CurveId.SCALAR_BYTES;
      return plan.residentKey()
          ? new MemoryNeeds(keyBytes, plan.batch() * proofBytes, pinned, 1 << 10)
          : new MemoryNeeds(0, plan.batch() * proofBytes + keyBytes / RING, pinned, 1 << 10);
    }

    @Override
    public double keyLoadMs(ProvingKey key, Plan plan) {
      return plan.residentKey() ? loadMs : 0;
    }

    @Override
    public double[] stageMs(ProvingKey key, Plan plan) {
      double[] ms = new double[Stage.values().length];
      ms[Stage.MSM_H.ordinal()] = proofMs + (plan.residentKey() ? 0 : loadMs / plan.batch());
      return ms;
    }
  }
}
