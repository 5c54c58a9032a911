// Package curve is the arithmetic of the launchpad's curve: a one-sided position of
// a DAMM v2 pool from a start price upwards. It promises what the program does, to
// the last unit: square-root prices of 64.64 bits, its rounding, its fees, and the
// tax of the token.
package curve
