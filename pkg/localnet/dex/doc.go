// Package dex puts the programs of Raydium and Meteora, and what they need, on a
// local chain, where somebody has their binaries.
package dex
