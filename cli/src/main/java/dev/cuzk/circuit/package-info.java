/**
 * The constraint-system interface, gadgets, the built-in circuits and their matrices. Knows no
 * jobs.
 */
package dev.cuzk.circuit;
