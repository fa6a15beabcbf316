/** What {@code cuzk bench} runs, how it measures and how it compares. Knows no commands. */
package dev.cuzk.bench;
