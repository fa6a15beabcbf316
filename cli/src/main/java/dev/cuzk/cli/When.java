package dev.cuzk.cli;

/** The three answers to "should there be colour, or progress?". */
enum When {
  AUTO,
  ALWAYS,
  NEVER
}
