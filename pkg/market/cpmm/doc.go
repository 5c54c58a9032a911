// Package cpmm prepares constant-product pools of a token and SOL on Raydium, and
// says what a swap in one brings: in integers, as the program computes it.
package cpmm
