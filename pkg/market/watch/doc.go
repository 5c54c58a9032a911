// Package watch follows what callers send themselves, market transactions and
// payments for promotions, to their end: seen on the chain, finalized, or expired
// for good.
package watch
