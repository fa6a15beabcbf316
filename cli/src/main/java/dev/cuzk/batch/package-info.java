/**
 * From inputs to jobs to partitions, and back from proofs to files: output folder, journal and
 * resume, sharding, merge. Knows neither devices nor native code.
 */
package dev.cuzk.batch;
