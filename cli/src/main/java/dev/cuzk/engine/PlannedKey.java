package dev.cuzk.engine;

import dev.cuzk.device.Plan;
import dev.cuzk.key.ProvingKey;

/** A key as a device keeps it: the same key under two plans lies there twice. */
record PlannedKey(ProvingKey key, Plan plan) {}
