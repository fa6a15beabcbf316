/** BN254 and BLS12-381 in Java: fields, curves, pairing. Knows nothing else. */
package dev.cuzk.math;
