/**
 * Filecoin's circuits: PoRep, EmptySectorUpdate (SnapDeals), WindowPoSt, WinningPoSt, for every
 * sector size.
 */
package dev.cuzk.circuit.filecoin;
