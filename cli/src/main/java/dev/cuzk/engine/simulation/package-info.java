/** Fake devices and injected faults: for tests, {@code cuzk plan} and {@code --fault}. */
package dev.cuzk.engine.simulation;
