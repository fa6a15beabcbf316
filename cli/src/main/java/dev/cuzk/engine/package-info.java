/**
 * How jobs run: admission, queues, one executor a device, finalizers, retry, timeline events. Owns
 * the {@link dev.cuzk.engine.ProofSink} that {@code batch} implements. Knows neither file formats
 * nor commands.
 */
package dev.cuzk.engine;
