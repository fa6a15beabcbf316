/**
 * One-party proving keys for tests, made from an {@code .r1cs} or a built-in circuit. Knows no
 * jobs.
 */
package dev.cuzk.setup;
