/**
 * What a user sees: one picocli class a command, the option mixins they share, terminal output and
 * exit codes. Knows who does the work, not how a proof is made.
 */
package dev.cuzk.cli;
