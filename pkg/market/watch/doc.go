// Package watch follows the transactions that callers send to the network, market transactions and
// payments for promotions, until the outcome is final: seen on the finalized chain, or expired
// permanently.
package watch
