package dev.cuzk.batch;

/**
 * An effective setting, for the report.
 *
 * @param source {@code default}, {@code option}, {@code environment} or the configuration file's
 *     path
 */
public record Setting(String name, String value, String source) {}
