/**
 * The run report in its forms: JSON, text, HTML with plots, Perfetto trace. Knows plain data only.
 */
package dev.cuzk.report;
