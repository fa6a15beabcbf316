/**
 * Memory outside the heap by address, length and owner, so that synthesis, keys and devices can
 * meet without knowing each other. Knows nothing else.
 */
package dev.cuzk.memory;
