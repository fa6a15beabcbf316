/**
 * What Filecoin's proofs state and how their vanilla proofs bear it out: public inputs derived from
 * a job's facts, and checks of vanilla proofs against them.
 */
package dev.cuzk.synthesis.filecoin;
