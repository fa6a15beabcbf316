/**
 * Proving keys as views on their files: {@code .zkey} and bellman {@code .params}; digests and
 * validation. Knows neither jobs nor devices.
 */
package dev.cuzk.key;
